/**
 * The indexes in the order of pages have host names as they are written as well, so that a filter that reads nothing
 * else is answered by them alone: a pattern is asked of what is written, and not of the folded text.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122NamesInOrder extends Migration {
  override name = 'Migration20261122NamesInOrder';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'drop index device_order, device_org_order',
  'create index device_order on device (hostname_lc, id) include (hostname)',
  'create index device_org_order on device (org_id, hostname_lc, id) include (hostname)',
];
