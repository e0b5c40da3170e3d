import type { EpochMs } from '#domain/time.ts';

/** Pending background work of all tenants, for metrics (Contract: §15). */
export interface Backlog {
  /** Mails neither sent nor given up, including those being sent. */
  readonly queuedMails: number;
  readonly oldestMailQueuedAt: EpochMs | null;
  /** Approved deletions that are due. */
  readonly dueDeletions: number;
  /** Open deletions past their `processBy` (`isOverdue`), approved or not. */
  readonly overdueDeletions: number;
  /** Marks of changed devices that wait for an evaluation of watched filters. */
  readonly membershipMarks: number;
  /** Milliseconds that the oldest mark has waited, by the store's clock; 0 without marks. */
  readonly oldestMarkAge: number;
  /** Filter and device pairs that are due for an evaluation only because time has passed. */
  readonly dueTimers: number;
  /** All membership changes so far, except those of deleted filters whose feed has been removed. */
  readonly membershipChanges: number;
}

/** Reads the backlog of all tenants. */
export type BacklogReader = (now: EpochMs) => Promise<Backlog>;
