/** Use of a connection pool, for metrics (Contract: §15). */
export interface PoolUse {
  /** The pool's purpose. */
  readonly pool: string;
  /** The replica's host and port; absent for the primary. */
  readonly replica?: string;
  readonly size: number;
  readonly inUse: number;
  readonly waiting: number;
}
