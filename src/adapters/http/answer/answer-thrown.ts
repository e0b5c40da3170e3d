/** Answers thrown refusals and all other errors without revealing anything internal. */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { CANCELLED } from '#application/application-error.ts';
import type { Problem } from './problem-status.ts';
import { Refusal } from './refusal.ts';
import { respondProblem } from './respond.ts';

export interface AnswerThrownDeps {
  /** Answered with 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Answered with 503 and the reason. */
  readonly isDiskFull?: (error: unknown) => boolean;
  readonly noteDiskFull?: () => void;
  /** Answered with 503. */
  readonly isRefusedInMaintenance?: (error: unknown) => boolean;
  /** Answered with 499; not a failure of the service. */
  readonly isCancelled?: (error: unknown) => boolean;
}

export type AnswerThrown = (thrown: unknown, c: HttpContext) => Response;

export function makeAnswerThrown({
  isUnavailable,
  isDiskFull,
  noteDiskFull,
  isRefusedInMaintenance,
  isCancelled,
}: AnswerThrownDeps): AnswerThrown {
  return (thrown, c) => {
    if (thrown instanceof Refusal) return respondProblem(c, thrown.problem);
    if (isCancelled?.(thrown)) return respondProblem(c, CANCELLED);
    if (isRefusedInMaintenance?.(thrown)) return respondProblem(c, IN_MAINTENANCE, RETRY_LATER);
    if (isDiskFull?.(thrown)) {
      noteDiskFull?.();
      return respondProblem(c, NO_ROOM, RETRY_LATER);
    }
    if (isUnavailable(thrown)) return respondProblem(c, UNAVAILABLE, RETRY_SOON);
    return respondProblem(c, INTERNAL);
  };
}

/** In seconds. A restarting database is back after one or two. */
export const RETRY_SOON = { 'Retry-After': '2' };

/** In seconds. Moving a partner or clearing a disk takes minutes. */
const RETRY_LATER = { 'Retry-After': '60' };

export const IN_MAINTENANCE: Problem = {
  code: 'partner_in_maintenance',
  detail: "This partner's data is being moved and is read-only for now; try again in a few minutes.",
};

export const UNAVAILABLE: Problem = {
  code: 'unavailable',
  detail: 'The service is too busy, or cannot reach its database; try again shortly.',
};

export const NO_ROOM: Problem = {
  code: 'unavailable',
  detail:
    "The database's disk is full, so nothing can be recorded, not even the audit entry of a read. Nothing was changed. The operator has to make room.",
};

export const INTERNAL: Problem = {
  code: 'internal',
  detail: 'Something went wrong on our side; quote the requestId when you report it.',
};
