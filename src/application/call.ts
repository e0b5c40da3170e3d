/** One call of a use case: the caller, and the facts of the request that are recorded. */
import type { AsEvaluation } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import { storableUserAgent } from '#domain/access/user-agent.ts';

/** A request whose caller may not be known (yet). */
export interface Visit {
  /** Identifies the request in answers, logs and the audit log; 1-128 characters. */
  readonly requestId: string;
  /** The client's address; null for calls that do not come over the network. */
  readonly ip: string | null;
  /** What the client calls itself, as sent; only where it is recorded with a session. */
  readonly userAgent?: string | null;
}

/** What a session records of the client that it is used by. */
export function clientOfVisit({ ip, userAgent }: Visit): Pick<Session, 'ip' | 'userAgent'> {
  return { ip, userAgent: storableUserAgent(userAgent) };
}

/** The first argument of every use case; `makeCall` makes one. */
export interface Call extends Visit {
  readonly caller: Caller;
  /** Fires when the client has gone away and nobody waits for the answer. */
  readonly signal?: AbortSignal;
  /**
   * To be called when the work is done that calls take turns for, and only what costs next to nothing is left, such
   * as the wait for an audit entry to be on disk: the next call need not wait for that. May be called more than once.
   */
  readonly endTurn?: () => void;
  /**
   * For work whose turn lasts as long as its answer: what of it evaluates conditions takes turns with evaluations, and
   * counts as slow where it is.
   */
  readonly asEvaluation?: AsEvaluation;
  /**
   * For work that lasts: what the caller reaches now; null if nobody would be let in with that credential any more,
   * for another reason than its expiry.
   */
  readonly reachNow?: () => Promise<AccessScope | null>;
}
