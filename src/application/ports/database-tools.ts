import type { CreateBackupRole } from './backup-role.ts';
import type { FleetReader } from './fleet/fleet-reader.ts';
import type { PartnerMaintenance } from './partner-maintenance.ts';

/** Operators' tools for the whole database. The service itself does not use them. */
export interface DatabaseTools {
  readonly createBackupRole: CreateBackupRole;
  readonly readFleet: FleetReader;
  readonly partnerMaintenance: PartnerMaintenance;
}
