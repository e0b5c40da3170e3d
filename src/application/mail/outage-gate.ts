/**
 * Keeps a process from trying mail after mail with a server that is away: after an attempt that reached nobody all
 * of them wait, and then one goes ahead of the others.
 */
import type { Clock } from '#application/ports/clock.ts';
import { retryDelayMs } from '#domain/mail/retry-schedule.ts';

export interface OutageGate {
  /** Whether a mail may be tried now; who was let in leaves again. */
  enter(): boolean;
  leave(): void;
  /** What an attempt has found. */
  note(isOutage: boolean): void;
}

export interface OutageGateDeps {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export function makeOutageGate({ clock, random }: OutageGateDeps): OutageGate {
  /** Attempts in a row that reached nobody; those at the same time count as one. */
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
