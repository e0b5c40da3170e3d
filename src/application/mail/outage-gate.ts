/**
 * Stops a process from trying every mail while the mail server is unreachable. After a failure all mails wait, then a
 * single one tries first.
 */
import { isDueAgain } from '#application/due-again.ts';
import type { Clock } from '#application/ports/clock.ts';
import { retryDelayMs } from '#domain/mail/retry-schedule.ts';
import type { EpochMs } from '#domain/time.ts';

export interface OutageGate {
  /** Whether a mail may be tried now. If true, `leave` must follow. */
  enter(): boolean;
  leave(): void;
  note(isOutage: boolean): void;
}

export interface OutageGateDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

export function makeOutageGate({ clock, random }: OutageGateDeps): OutageGate {
  /** Consecutive failures; simultaneous ones count once. */
  let attempts = 0;
  let closedAt: EpochMs = Number.NEGATIVE_INFINITY;
  let closedForMs = 0;
  let inside = 0;
  return {
    enter: () => {
      if (attempts > 0 && (inside > 0 || !isDueAgain(closedAt, closedForMs, clock()))) return false;
      inside++;
      return true;
    },
    leave: () => {
      inside--;
    },
    note: (isOutage) => {
      if (!isOutage) attempts = 0;
      else if (isDueAgain(closedAt, closedForMs, clock())) {
        attempts++;
        closedAt = clock();
        closedForMs = retryDelayMs('unreachable', attempts, random());
      }
    },
  };
}
