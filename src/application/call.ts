/** A call of a use case: the caller, and facts about the request for the record. */
import type { AsEvaluation } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import { storableUserAgent } from '#domain/access/user-agent.ts';

/** A request whose caller may be unknown. */
export interface Visit {
  /** 1-128 characters; identifies the request in answers, logs and the audit log. */
  readonly requestId: string;
  /** The client's address; null for calls that do not come over the network. */
  readonly ip: string | null;
  /** As sent; only set where a session records it. */
  readonly userAgent?: string | null;
}

/** The client facts that a session stores. */
export function clientOfVisit({ ip, userAgent }: Visit): Pick<Session, 'ip' | 'userAgent'> {
  return { ip, userAgent: storableUserAgent(userAgent) };
}

/** The first argument of every use case. Create it with `makeCall`. */
export interface Call extends Visit {
  readonly caller: Caller;
  /** Aborts when the client has gone. */
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
   * For long work: the caller's current reach. Null once the credential would be refused for another reason than its
   * expiry.
   */
  readonly reachNow?: () => Promise<AccessScope | null>;
}
