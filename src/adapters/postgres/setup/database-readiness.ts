/** This type is not in `readiness.ts`, so that embedders' type checks need no types of `pg`. */
export interface DatabaseReadiness {
  readonly database: boolean;
  /**
   * The server is not a standby, and its disk has room. Even reads need this, because each preview writes an
   * audit entry.
   */
  readonly writable: boolean;
  readonly migrations: boolean;
  /** The service's role is subject to row-level security. */
  readonly role: boolean;
}
