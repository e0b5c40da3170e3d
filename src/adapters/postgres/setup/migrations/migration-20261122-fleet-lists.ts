/**
 * What the lists of alerts and patches and the summary read, without visiting rows that they do not show.
 *
 * Alerts are listed newest first, so they are told when they were created. Those from before this migration were
 * created now, as far as anybody knows.
 *
 * Patches are listed by title with counts of devices. A row that says of a device what another row says of it already
 * is a repeat, so that counting the other rows counts devices. Titles are indexed, so that a longer one than a load
 * may bring is cut.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122FleetLists extends Migration {
  override name = 'Migration20261122FleetLists';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  // Evaluated once, so that no row is written for it.
  'alter table alert add column created_at timestamptz(3) not null default now()',
  'alter table alert alter column created_at drop default',
  // What selects alerts is part of the key, so that those that are not wanted are passed over without a visit.
  'create index alert_newest on alert (created_at, id, org_id, status, severity)',
  'create index alert_org_newest on alert (org_id, created_at, id, status, severity)',
  'drop index alert_org',
  `create index alert_urgent on alert (org_id, severity) where status = 'active' and severity in ('critical', 'high')`,

  // Policies that are already in force also apply to the owner.
  'alter table patch no force row level security',
  'alter table patch add column is_repeat boolean not null default false',
  'update patch set title = left(title, 500) where length(title) > 500',
  `update patch p set is_repeat = true
   from (select id, row_number() over (partition by device_id, title, status order by id) as number from patch) n
   where n.id = p.id and n.number > 1`,
  'alter table patch alter column title type text collate "C"',
  // Another one by title alone would cost a load as much again; a page is put together from those of organizations.
  'create index patch_org_titles on patch (org_id, title, status) where not is_repeat',
  'alter table patch force row level security',
  `comment on column patch.is_repeat is
    'Whether another row says the same of the device: the title in the status; counts of devices leave it out'`,
];
