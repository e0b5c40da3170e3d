/** What operators do with a database as a whole; the service itself needs none of it. */
import type { CreateBackupRole } from './backup-role.ts';
import type { FleetReader } from './fleet/fleet-reader.ts';
import type { PartnerMaintenance } from './partner-maintenance.ts';

/** For operators, and not limited to any tenant. */
export interface DatabaseTools {
  readonly createBackupRole: CreateBackupRole;
  readonly readFleet: FleetReader;
  readonly partnerMaintenance: PartnerMaintenance;
}
