/**
 * The index by which the states of an organization are found has their words as well: a preview of some status, system
 * or role in one organization is counted there alone. By the index of the words it was looked for once for every system
 * and role, and in that of organizations every state was read. What changes a word was in an index before.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122StatesOfOrganizations extends Migration {
  override name = 'Migration20261122StatesOfOrganizations';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'drop index device_state_org',
  'create index device_state_org on device_state (org_id, status, os_type, device_role)',
];
