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
}

/** Reads the backlog of all tenants. */
export type BacklogReader = (now: EpochMs) => Promise<Backlog>;
