/** One call of a use case: who asks, and the facts of the request that go on record. */
import type { Caller } from '#domain/access/caller.ts';

/** A request by somebody who may not be known yet. */
export interface Visit {
  /** Identifies the request in answers, logs and the audit log; 1-128 characters. */
  readonly requestId: string;
  /** The client's address, where there is one. */
  readonly ip: string | null;
}

export interface Call extends Visit {
  readonly caller: Caller;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}
