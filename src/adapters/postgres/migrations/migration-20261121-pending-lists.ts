/**
 * Inverted indexes take what is written into a short list first and sort it in later, many rows at once: row by row,
 * each of a device's forty titles had a whole list of devices packed anew, and as much write-ahead log made. How long
 * the list may grow is the writer's setting: see `connection-config.ts`, and the fleet writer for large loads.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261121PendingLists extends Migration {
  override name = 'Migration20261121PendingLists';

  override up(): void {
    for (const index of INDEXES) this.addSql(`alter index ${index} set (fastupdate = on)`);
  }
}

const INDEXES = [
  'device_tags',
  'device_hostname_trgm',
  'device_hostname_lc_trgm',
  'device_software_titles',
] as const;
