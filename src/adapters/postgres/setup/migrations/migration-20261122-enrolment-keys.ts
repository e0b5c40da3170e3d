/** Keys with which machines report to an organization, and to a site of it. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122EnrolmentKeys extends Migration {
  override name = 'Migration20261122EnrolmentKeys';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `create table enrolment_key (
    id uuid primary key,
    key_sha256 text collate "C" not null unique,
    org_id uuid not null references organization,
    site_id uuid references site,
    name text not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  'create index enrolment_key_org on enrolment_key (org_id, created_at)',
];
