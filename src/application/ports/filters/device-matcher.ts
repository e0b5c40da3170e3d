/** Finds the devices that a filter matches (Contract: §4, §5). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { PreviewDevice } from '#domain/device/preview-device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** What to match, and for whom. */
export interface MatchRequest {
  readonly filter: ConditionGroup;
  /** Only devices of organizations in reach match or count. */
  readonly scope: AccessScope;
  /** The instant for every relative date. */
  readonly at: EpochMs;
  /** The user whose share of capacity the work counts towards; users cannot starve each other. */
  readonly onBehalfOf: string;
  /** Cancels the work. */
  readonly signal?: AbortSignal;
  /** Of a preview: ends the request's turn, once the work is known to take less time than a turn. */
  readonly endTurn?: () => void;
  /** Of a stream: has its statements wait for their turns among evaluations; absent: they run at once. */
  readonly asEvaluation?: AsEvaluation;
}

/** Does the work as one evaluation among others. Whoever is kept waiting for too long, or by the signal, does it anyway. */
export type AsEvaluation = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** The outcome of a preview. */
export interface Matches {
  /** All matching devices in scope, not only those listed. */
  readonly totalCount: number;
  /** The first `limit` by lower-cased hostname in code point order, then id. */
  readonly devices: readonly PreviewDevice[];
}

/** Why there are no matches: out of time, cancelled by the signal, or not evaluable. */
export type MatchRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /** A regular expression passed the check of the filter, but cannot be evaluated. */
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

/** Rejects only if storage fails or the service is overloaded. */
export interface DeviceMatcher {
  /** The count and the first devices, from one snapshot. `limit` is 1-100. */
  preview(request: MatchRequest, limit: number): Promise<Result<Matches, MatchRefusal>>;
  /** Whether the device with this id matches; false if it does not exist or is out of reach. */
  matches(request: MatchRequest, id: DeviceId): Promise<Result<boolean, MatchRefusal>>;
  /**
   * The ids of all matching devices, in batches: each id once, in no particular order, from one snapshot, in bounded
   * memory. A refusal is thrown as `MatchStreamError`.
   */
  streamIds(request: MatchRequest): AsyncIterable<readonly DeviceId[]>;
}

/** Ends a stream of ids that cannot be continued. */
export class MatchStreamError extends Error {
  readonly refusal: MatchRefusal;

  constructor(refusal: MatchRefusal) {
    super(`the stream of device ids ended: ${refusal.kind}`);
    this.name = 'MatchStreamError';
    this.refusal = refusal;
  }
}
