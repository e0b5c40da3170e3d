/** One call of a use case: who asks, and the facts of the request that go on record. */
import type { Caller } from '#domain/access/caller.ts';

export interface Call {
  readonly caller: Caller;
  /** Identifies the request in answers, logs and the audit log; 1-128 characters. */
  readonly requestId: string;
  /** The client's address, where there is one. */
  readonly ip: string | null;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}
