import type { EpochMs } from '#domain/time.ts';

/** Waiting background work of all tenants, for metrics (Contract: §15). */
export interface Backlog {
  /** Neither sent nor given up; mails in flight included. */
  readonly queuedMails: number;
  /** When the oldest was queued; null without any. */
  readonly oldestMailQueuedAt: EpochMs | null;
  /** Approved deletions that are due. */
  readonly dueDeletions: number;
  /** Deletion requests past processBy (`isOverdue`), approved or not. */
  readonly overdueDeletions: number;
  /** Marks of changed devices that no evaluation of watched filters has taken. */
  readonly membershipMarks: number;
  /** By the store's clock, how long the oldest of them has waited, in milliseconds; 0 without any. */
  readonly oldestMarkAge: number;
  /** Answers of watched filters that are due to be looked at again because time has passed. */
  readonly dueTimers: number;
  /** All changes of members so far. */
  readonly membershipChanges: number;
}

/** Reads the backlog of all tenants. */
export type BacklogReader = (now: EpochMs) => Promise<Backlog>;
