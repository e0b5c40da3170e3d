/**
 * Keeps a process from trying one mail after another while the mail server is unreachable: after a failed attempt all
 * of them wait, then a single one tries first.
 */
import type { Clock } from '#application/ports/clock.ts';
import { retryDelayMs } from '#domain/mail/retry-schedule.ts';

export interface OutageGate {
  /** Whether a mail may be tried now; if so, `leave` must follow. */
  enter(): boolean;
  leave(): void;
  /** Records whether an attempt found the server unreachable. */
  note(isOutage: boolean): void;
}

export interface OutageGateDeps {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export function makeOutageGate({ clock, random }: OutageGateDeps): OutageGate {
  /** Consecutive failed attempts; simultaneous ones count as one. */
  let attempts = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let inside = 0;
  return {
    enter: () => {
      if (attempts > 0 && (inside > 0 || clock() < closedUntil)) return false;
      inside++;
      return true;
    },
    leave: () => {
      inside--;
    },
    note: (isOutage) => {
      if (!isOutage) attempts = 0;
      else if (clock() >= closedUntil) {
        attempts++;
        closedUntil = clock() + retryDelayMs('unreachable', attempts, random());
      }
    },
  };
}
