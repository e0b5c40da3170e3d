/**
 * The order of lists by display name, in all organizations and in one: folded, cut, those without a name last. Nothing
 * in it changes with what a device reports.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122DisplayNames extends Migration {
  override name = 'Migration20261122DisplayNames';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** As much as the service sorts by: so many characters of both are sure to fit into an index. */
const NAME = 'left(coalesce(display_name_lc, display_name collate "C"), 200)';
const HOSTNAME = 'left(hostname_lc, 200)';

const STATEMENTS: readonly string[] = [
  `create index device_display_name on device ((${NAME}), (${HOSTNAME}))`,
  `create index device_org_display_name on device (org_id, (${NAME}), (${HOSTNAME}))`,
];
