/** The backup role and its connection. */
export interface BackupRole {
  readonly role: string;
  /** For `--host`, `--port` and `--dbname`. */
  readonly connection: { readonly host: string; readonly port: number; readonly database: string };
}

/** The role, or why it was not created. */
export type BackupRoleOutcome =
  /** `password` is null if the role existed; it keeps its own. */
  | ({ readonly kind: 'ready'; readonly password: string | null } & BackupRole)
  /** A superuser must run `statements` in this database; nothing was changed. */
  | ({ readonly kind: 'not-allowed'; readonly statements: readonly string[] } & BackupRole)
  /** A role of that name exists that was not made for this database; nothing was changed. */
  | ({ readonly kind: 'taken' } & BackupRole);

/**
 * Creates a role that reads the whole database, later additions included, and changes nothing (Contract: §15). An
 * existing one gets missing rights. `password` is for a new role.
 */
export type CreateBackupRole = (password: string) => Promise<BackupRoleOutcome>;
