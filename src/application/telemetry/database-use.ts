/** How connections and replicas are used, for metrics (Contract: §15). */

export interface PoolUse {
  readonly pool: string;
  /** The replica's host and port; absent for the primary. */
  readonly replica?: string;
  readonly size: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** Why the primary answered instead of a replica. */
export type PassedOverReason = 'unreachable' | 'behind' | 'conflict' | 'failed';

export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  readonly isUsed: boolean;
  /** Upper bound in milliseconds: 0 if the replica has all of the primary's commits; null if it never answered. */
  readonly lagMs: number | null;
}

/** Counts since the replicas were opened. */
export interface ReplicaUse {
  readonly replicas: readonly ReplicaState[];
  readonly reads: Readonly<Record<'primary' | 'replica', number>>;
  /** Reads meant for a replica, but answered by the primary. */
  readonly passedOver: Readonly<Record<PassedOverReason, number>>;
}

export interface ReplicaChange {
  readonly replica: string;
  readonly isUsed: boolean;
  /** Why the replica is no longer used. */
  readonly reason?: string;
}
