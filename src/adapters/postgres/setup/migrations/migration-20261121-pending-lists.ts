/**
 * Inverted indexes take what is written into a short list first and sort it in later, many rows at once: row by row,
 * each of a device's forty titles had a whole list of devices packed anew, and as much write-ahead log made. How long
 * the list may grow is the writer's setting, and no index's own: see `connection-config.ts`, and the fleet writer,
 * which lets it grow in a large load.
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
