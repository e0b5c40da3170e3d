/**
 * What tells machines apart: every name that a device has had in inventories, its UUID, and its serial number folded.
 * A clone goes by the name of what it was cloned from, so a name can be that of several devices.
 *
 * `reports_since` marks the devices that report by themselves. It is set once, and what each report changes is not
 * indexed, so that reports stay HOT.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122MachineIdentity extends Migration {
  override name = 'Migration20261122MachineIdentity';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `create table device_inventory_id (
    device_id uuid not null references device on delete cascade,
    org_id uuid not null references organization,
    inventory_id text collate "C" not null,
    primary key (device_id, inventory_id)
  )`,
  // Policies that are already in force also apply to the owner.
  'alter table device no force row level security',
  `insert into device_inventory_id (device_id, org_id, inventory_id)
   select id, org_id, inventory_id from device where inventory_id is not null`,
  'alter table device force row level security',
  'create index device_inventory_id_names on device_inventory_id (org_id, inventory_id)',
  `comment on table device_inventory_id is 'Every deviceid that the inventories of a device have had'`,

  'alter table device drop column inventory_id',
  'alter table device add column system_uuid text collate "C"',
  'alter table device add column reports_since timestamptz(3)',
  `comment on column device.system_uuid is 'As machines are told apart by it; null where it says nothing'`,
  `comment on column device.reports_since is
    'When the device first reported by itself; null if it was loaded or imported only'`,
  'create index device_system_uuid on device (org_id, system_uuid) where system_uuid is not null',
  'create index device_reporting on device (id) where reports_since is not null',
  // What has no companion is found by the column itself. (Under the policies, no index of an expression of the two is.)
  'create index device_hardware_serial_lc on device_hardware (org_id, serial_number_lc) where serial_number_lc is not null',
];
