/**
 * The titles of software that each organization has or had on a device, so that a name is looked up among those of
 * the caller alone: how long a look-up in the catalogue of all tenants takes shows what others have. A title stays
 * when the last device loses it, which no filter notices. Names are there as well, so that one index answers.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122OrganizationSoftware extends Migration {
  override name = 'Migration20261122OrganizationSoftware';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  // Like the sets of devices it does not refer to the titles, which are never removed.
  `create table organization_software (
    title_id integer not null,
    org_id uuid not null references organization,
    name_lc text collate "C" not null,
    primary key (title_id, org_id)
  )`,
  // Policies that are already in force also apply to the owner.
  'alter table device_software no force row level security',
  'alter table software_title no force row level security',
  `insert into organization_software (title_id, org_id, name_lc)
   select t.id, n.org_id, t.name_lc
   from (select distinct s.org_id, u.title_id from device_software s cross join unnest(s.title_ids) u(title_id)) n
   join software_title t on t.id = n.title_id`,
  'alter table software_title force row level security',
  'alter table device_software force row level security',
  'create index organization_software_names on organization_software (org_id, name_lc, title_id)',
  `comment on table organization_software is
    'The titles that devices of an organization have or had, by folded name; names are looked up among them'`,
];
