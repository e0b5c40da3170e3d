/** What operators do with a database as a whole; the service itself needs none of it. */
import type { CreateBackupRole } from './backup-role.ts';
import type { FleetReader } from './fleet/fleet-reader.ts';

export interface DatabaseTools {
  readonly createBackupRole: CreateBackupRole;
  readonly readFleet: FleetReader;
}
