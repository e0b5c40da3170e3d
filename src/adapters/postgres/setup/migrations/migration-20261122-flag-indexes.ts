/**
 * Devices with a flag are counted in its index alone, whatever words and other flags a filter names beside it; those
 * with a critical alert, which few have, are in the order of pages as well. Where rows are read, those with two flags are
 * found in one index rather than in what two have in common. A status alone is counted in an index of its own, of which
 * less is read for each device. No column in these was without an index before.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122FlagIndexes extends Migration {
  override name = 'Migration20261122FlagIndexes';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** The flags from the rarest on: what has two is looked for among those with the first. */
const STATEMENTS: readonly string[] = [
  'drop index device_state_critical_alerts, device_state_reboot_required, device_state_pending_patches',
  'drop index device_critical_alerts, device_reboot_required',
  `create index device_state_critical_alerts on device_state
     (org_id, pending_patches, reboot_required, status, os_type, device_role) where critical_alerts > 0`,
  `create index device_state_reboot_required on device_state
     (org_id, pending_patches, status, os_type, device_role) where reboot_required`,
  `create index device_state_pending_patches on device_state
     (org_id, status, os_type, device_role) where pending_patches > 0`,
  'create index device_state_status on device_state (status)',
  `create index device_critical_alerts on device (org_id, pending_patches, reboot_required)
     where critical_alerts > 0`,
  'create index device_reboot_required on device (org_id, pending_patches) where reboot_required',
  'create index device_critical_alerts_order on device (hostname_lc, id) where critical_alerts > 0',
];
