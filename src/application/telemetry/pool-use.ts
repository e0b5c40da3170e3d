/** How much of a pool of connections is in use, for the service's metrics (Contract: §15). */
export interface PoolUse {
  /** What the connections are for. */
  readonly pool: string;
  /** The replica that they lead to, by host and port; absent: they lead to the primary. */
  readonly replica?: string;
  /** How many there may be. */
  readonly size: number;
  readonly inUse: number;
  /** What waits for one. */
  readonly waiting: number;
}
