/**
 * Beside each device two narrow rows with what most filters read: its state, which changes with every report, and its
 * names. Where a filter reads nothing else, devices are counted there, and a scan of them takes half as long as one of
 * the devices' own rows or less. Those stay whole: whatever reads more reads them alone, and joins nothing.
 *
 * Triggers keep the rows, so that no writer can forget them. Nothing volatile is indexed here either, so that the state
 * is kept by HOT updates.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122NarrowRows extends Migration {
  override name = 'Migration20261122NarrowRows';

  override up(): void {
    // Policies that are already in force also apply to the owner.
    this.addSql('alter table device no force row level security');
    for (const narrow of NARROW_TABLES) for (const statement of narrowTable(narrow)) this.addSql(statement);
    this.addSql('alter table device force row level security');
    for (const statement of INDEXES) this.addSql(statement);
  }
}

interface NarrowTable {
  readonly name: string;
  readonly comment: string;
  /** Besides `id` and `org_id`, with their types: those of the device. */
  readonly columns: Readonly<Record<string, string>>;
}

const NARROW_TABLES: readonly NarrowTable[] = [
  {
    name: 'device_state',
    comment:
      'Of each device what changes as it reports, with the flags and words that filters ask for beside it',
    // What is scanned most comes first.
    columns: {
      last_seen_at: 'timestamptz(3)',
      cpu_percent: 'double precision',
      ram_percent: 'double precision',
      disk_percent: 'double precision',
      uptime_seconds: 'double precision',
      enrolled_at: 'timestamptz(3)',
      os_type: 'os_type',
      status: 'device_status not null',
      device_role: 'device_role not null',
      pending_patches: 'integer not null',
      critical_alerts: 'integer not null',
      reboot_required: 'boolean not null',
    },
  },
  {
    name: 'device_names',
    comment: 'Of each device what it is called, with its status',
    columns: {
      status: 'device_status not null',
      hostname_lc: 'text collate "C" not null',
      display_name: 'text',
      display_name_lc: 'text collate "C"',
    },
  },
];

/** Those that devices have on the same columns, and one to find the devices of an organization. */
const INDEXES: readonly string[] = [
  'create index device_state_org on device_state (org_id)',
  'create index device_state_enums on device_state (status, os_type, device_role, org_id)',
  'create index device_state_pending_patches on device_state (org_id) where pending_patches > 0',
  'create index device_state_critical_alerts on device_state (org_id) where critical_alerts > 0',
  'create index device_state_reboot_required on device_state (org_id) where reboot_required',
  'create index device_names_org on device_names (org_id)',
];

/** The table with its rows, and what keeps them. */
function narrowTable({ name, comment, columns }: NarrowTable): readonly string[] {
  const kept = ['org_id', ...Object.keys(columns)];
  const of = (row: string) => kept.map((column) => `${row}.${column}`).join(', ');
  const insertFrom = (rows: string) => `insert into ${name} (id, ${kept.join(', ')})
    select r.id, ${of('r')} from ${rows} r order by r.org_id, r.hostname_lc, r.id`;
  return [
    `create table ${name} (
      id uuid primary key references device on delete cascade,
      org_id uuid not null,
      ${Object.entries(columns)
        .map(([column, type]) => `${column} ${type}`)
        .join(', ')}
    ) with (fillfactor = 85)`,
    `comment on table ${name} is '${comment}; kept by triggers'`,
    insertFrom('device'),
    `create function keep_${name}() returns trigger language plpgsql as $$
     begin
       ${insertFrom('added')};
       return null;
     end $$`,
    `create function change_${name}() returns trigger language plpgsql as $$
     begin
       update ${name} set (${kept.join(', ')}) = row(${of('new')}) where id = old.id;
       return null;
     end $$`,
    `create trigger keep_${name} after insert on device referencing new table as added
     for each statement execute function keep_${name}()`,
    `create trigger change_${name} after update of ${kept.join(', ')} on device for each row
     when ((${of('old')}) is distinct from (${of('new')})) execute function change_${name}()`,
  ];
}
