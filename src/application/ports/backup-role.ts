export interface BackupRole {
  readonly role: string;
  /** For `--host`, `--port` and `--dbname`. */
  readonly connection: { readonly host: string; readonly port: number; readonly database: string };
}

export type BackupRoleOutcome =
  /** `password` is null if the role existed and keeps its own. */
  | ({ readonly kind: 'ready'; readonly password: string | null } & BackupRole)
  /** A superuser must run `statements` in this database; nothing was changed. */
  | ({ readonly kind: 'not-allowed'; readonly statements: readonly string[] } & BackupRole)
  /** The role was not made for this database; nothing was changed. */
  | ({ readonly kind: 'taken' } & BackupRole);

/**
 * Creates a role that reads the whole database, later additions included, and changes nothing (Contract: §15). An
 * existing role gets missing rights. `password` is for a new role.
 */
export type CreateBackupRole = (password: string) => Promise<BackupRoleOutcome>;
