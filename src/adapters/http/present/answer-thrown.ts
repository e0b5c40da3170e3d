/** The last resort: what was thrown and not foreseen becomes an answer that tells nothing of the inside. */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { CANCELLED } from '#application/application-error.ts';
import type { Problem } from './problem.ts';
import { respondProblem } from './respond.ts';

/** What can be told from something thrown. */
export interface AnswerThrownDeps {
  /** Whether it means that the database cannot be reached, or that there is too much to do: 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Whether it means that the client is gone: nobody reads the answer, and it is no fault of ours. */
  readonly isCancelled?: (error: unknown) => boolean;
}

/** Answers 503, 500, or for a client that is gone 499, with a problem document. */
export type AnswerThrown = (thrown: unknown, c: HttpContext) => Response;

/** Asks first whether the client is gone, then whether the database is. */
export function makeAnswerThrown({ isUnavailable, isCancelled }: AnswerThrownDeps): AnswerThrown {
  return (thrown, c) => {
    if (isCancelled?.(thrown)) return respondProblem(c, CANCELLED);
    if (isUnavailable(thrown)) return respondProblem(c, UNAVAILABLE, RETRY_SOON);
    return respondProblem(c, INTERNAL);
  };
}

/** Seconds. A database that restarts is back after one or two. */
const RETRY_SOON = { 'Retry-After': '2' };

const UNAVAILABLE: Problem = {
  code: 'unavailable',
  detail: 'The service is too busy, or cannot reach its database; try again shortly.',
};

const INTERNAL: Problem = {
  code: 'internal',
  detail: 'Something went wrong on our side; quote the requestId when you report it.',
};
