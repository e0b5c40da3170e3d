/**
 * Inverted indexes collect new entries in a short pending list and sort them in later, many rows at once. Row by row,
 * each of a device's forty titles had a whole list of devices rewritten and logged. The length of the list is a
 * setting of the writer, not of each index: see `connection-config.ts`, and the fleet writer, which raises it for a
 * large load.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261121PendingLists extends Migration {
  override name = 'Migration20261121PendingLists';

  override up(): void {
    this.addSql(`
      do $$ declare inverted regclass; begin
        for inverted in
          select c.oid from pg_class c join pg_am a on a.oid = c.relam
          where a.amname = 'gin' and c.relnamespace = current_schema()::regnamespace
        loop
          execute format('alter index %s reset (fastupdate, gin_pending_list_limit)', inverted);
        end loop;
      end $$`);
  }
}
