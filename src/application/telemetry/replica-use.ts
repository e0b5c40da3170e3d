/** How replicas are used, for the service's metrics (Contract: §15). */

/** Why the primary answered in place of a replica. */
export type PassedOverReason = 'unreachable' | 'behind' | 'conflict' | 'failed';

/** One replica at present. */
export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  /** Whether reads go there. */
  readonly isUsed: boolean;
  /** At most so far behind the primary, in milliseconds: 0 where it has what the primary had; null: it never answered. */
  readonly lagMs: number | null;
}

/** Of all replicas, since they were opened. */
export interface ReplicaUse {
  readonly replicas: readonly ReplicaState[];
  /** How many reads each kind of server has answered. */
  readonly reads: Readonly<Record<'primary' | 'replica', number>>;
  /** How many reads a replica was asked for and the primary answered. */
  readonly passedOver: Readonly<Record<PassedOverReason, number>>;
}
