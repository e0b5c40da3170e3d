/** The state of the database in `/readyz`, apart from the check so that embedders' types need no driver types. */

/** Whether requests can be answered; each false one says why not. */
export interface DatabaseReadiness {
  /** The database is reachable. */
  readonly database: boolean;
  /** It takes changes, which a standby does not: without an audit entry not even a preview is answered. */
  readonly writable: boolean;
  /** Every migration has run. */
  readonly migrations: boolean;
  /** The service works under a role that row-level security applies to. */
  readonly role: boolean;
}
