/** What `/readyz` says of the database; apart from the check, so that an embedder's types need none of the driver's. */

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
