/** What operators do with a database as a whole; the service itself needs none of it. */
import type { CreateBackupRole } from './backup-role.ts';

export interface DatabaseTools {
  readonly createBackupRole: CreateBackupRole;
}
