/** What bounded work has to know of the call that it is done for. */
import type { Call } from './call.ts';

/** Whose share of the machine the work counts towards, and the signal that ends it. */
export interface WorkFor {
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
}

/** By user, whatever credential they came with. */
export function workFor({ caller, signal }: Call): WorkFor {
  return { onBehalfOf: caller.userId, ...(signal !== undefined && { signal }) };
}
