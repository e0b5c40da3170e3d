export interface BackupRole {
  readonly role: string;
  /** For `pg_dump`: `--host`, `--port` and `--dbname`. */
  readonly connection: { readonly host: string; readonly port: number; readonly database: string };
}

export type BackupRoleOutcome =
  /** If the role already existed, it keeps its password, and `password` is null. */
  | ({ readonly kind: 'ready'; readonly password: string | null } & BackupRole)
  /** Nothing was changed: a superuser must run `statements` in this database. */
  | ({ readonly kind: 'not-allowed'; readonly statements: readonly string[] } & BackupRole)
  /** Nothing was changed: a role of this name exists, but was not made for this database. */
  | ({ readonly kind: 'taken' } & BackupRole);

/**
 * Creates a role that can read the whole database, including tables added later, and change nothing (Contract: §15). An
 * existing role gets missing rights, but keeps its password.
 */
export type CreateBackupRole = (password: string) => Promise<BackupRoleOutcome>;
