import type { AsEvaluation } from '#application/ports/filters/device-matcher.ts';
import type { Call } from './call.ts';

/** What limited work needs of a call: whose share it uses, what cancels it, and its turns. */
export interface WorkFor {
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  readonly asEvaluation?: AsEvaluation;
  readonly endTurn?: () => void;
}

export function workFor({ caller, signal, asEvaluation, endTurn }: Call): WorkFor {
  return {
    onBehalfOf: caller.userId,
    ...(signal !== undefined && { signal }),
    ...(asEvaluation !== undefined && { asEvaluation }),
    ...(endTurn !== undefined && { endTurn }),
  };
}
