/** What bounded work has to know of the call that it is done for. */
import type { AsEvaluation } from '#application/ports/filters/device-matcher.ts';
import type { Call } from './call.ts';

/** Whose share of the machine the work counts towards, the signal that ends it, and its turn or turns among evaluations. */
export interface WorkFor {
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  readonly asEvaluation?: AsEvaluation;
  readonly endTurn?: () => void;
}

/** By user, whatever credential they came with. */
export function workFor({ caller, signal, asEvaluation, endTurn }: Call): WorkFor {
  return {
    onBehalfOf: caller.userId,
    ...(signal !== undefined && { signal }),
    ...(asEvaluation !== undefined && { asEvaluation }),
    ...(endTurn !== undefined && { endTurn }),
  };
}
