/** Apart from the check, so embedders' types need no driver types. */
export interface DatabaseReadiness {
  readonly database: boolean;
  /** No standby, and its disk has room. Even previews write an audit entry. */
  readonly writable: boolean;
  readonly migrations: boolean;
  /** Row-level security applies to the service's role. */
  readonly role: boolean;
}
