import type { AsEvaluation } from '#application/ports/filters/device-matcher.ts';
import type { Call } from './call.ts';

/** What work with a limited share takes from a call: its user, its abort signal and its turns. */
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
