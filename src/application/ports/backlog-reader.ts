/** What waits to be done in the background, for the service's metrics (Contract: §15). */
import type { EpochMs } from '#domain/time.ts';

/** What waits, in all of the database. */
export interface Backlog {
  /** Mails that are neither sent nor given up, those being sent included. */
  readonly queuedMails: number;
  /** When the oldest of them was queued; null without any. */
  readonly oldestMailQueuedAt: EpochMs | null;
  /** Approved deletions whose time has come. */
  readonly dueDeletions: number;
  /** Deletion requests, approved or not, that should be through by now (`isOverdue`). */
  readonly overdueDeletions: number;
}

/** Of all tenants together. */
export type BacklogReader = (now: EpochMs) => Promise<Backlog>;
