import type { CreateBackupRole } from './backup-role.ts';
import type { FleetReader } from './fleet/fleet-reader.ts';
import type { PartnerMaintenance } from './partner-maintenance.ts';

/** Database-wide tools for operators, across tenants. The service does not need them. */
export interface DatabaseTools {
  readonly createBackupRole: CreateBackupRole;
  readonly readFleet: FleetReader;
  readonly partnerMaintenance: PartnerMaintenance;
}
