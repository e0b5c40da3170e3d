/** A role for whoever backs the database up (Contract: §15). */

/** The role, and where it connects to. */
export interface BackupRole {
  readonly role: string;
  /** As typed into `--host`, `--port` and `--dbname`. */
  readonly connection: { readonly host: string; readonly port: number; readonly database: string };
}

/** The role, or why there is none. */
export type BackupRoleOutcome =
  /** `password` is that of a role that was made now; one that was there keeps its own. */
  | ({ readonly kind: 'ready'; readonly password: string | null } & BackupRole)
  /** `statements` make the role, run by a superuser in the database; nothing was changed. */
  | ({ readonly kind: 'not-allowed'; readonly statements: readonly string[] } & BackupRole)
  /** There is a role of that name which was not made for this database; nothing was changed. */
  | ({ readonly kind: 'taken' } & BackupRole);

/**
 * Makes a role that reads all of the database, what later versions add as well, and changes nothing. One that was made
 * before gets what it lacks. `password` is for a new one.
 */
export type CreateBackupRole = (password: string) => Promise<BackupRoleOutcome>;
