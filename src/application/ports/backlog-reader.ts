import type { EpochMs } from '#domain/time.ts';

/** Waiting background work of all tenants, for metrics (Contract: §15). */
export interface Backlog {
  /** Neither sent nor given up; mails in flight included. */
  readonly queuedMails: number;
  /** When the oldest was queued; null without any. */
  readonly oldestMailQueuedAt: EpochMs | null;
  /** Approved and due. */
  readonly dueDeletions: number;
  /** Past processBy (`isOverdue`), approved or not. */
  readonly overdueDeletions: number;
  /** Marks of changed devices that wait for an evaluation of watched filters. */
  readonly membershipMarks: number;
  /** Milliseconds, by the store's clock; 0 without any. */
  readonly oldestMarkAge: number;
  /** Watched filters that are due for another look because time has passed. */
  readonly dueTimers: number;
  /** So far. */
  readonly membershipChanges: number;
}

/** Reads the backlog of all tenants. */
export type BacklogReader = (now: EpochMs) => Promise<Backlog>;
