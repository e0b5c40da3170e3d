/** Finds the devices that a filter matches. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { PreviewDevice } from '#domain/device/preview-device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

export interface MatchRequest {
  readonly filter: ConditionGroup;
  readonly scope: AccessScope;
  /** The one instant that serves every relative date. */
  readonly at: EpochMs;
  /** Whose share of the machine the work counts towards; callers are kept from starving each other. */
  readonly onBehalfOf: string;
  /** Ends the work when it fires. */
  readonly signal?: AbortSignal;
}

export interface Matches {
  /** Devices in scope that match, before trimming. */
  readonly totalCount: number;
  /** The first `limit` by lower-cased hostname in code point order, then id. */
  readonly devices: readonly PreviewDevice[];
}

export type MatchRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /** A regular expression that was accepted when the filter was checked and is refused now. */
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

export interface DeviceMatcher {
  /** Count and first devices, from one snapshot. `limit` is 1-100. */
  preview(request: MatchRequest, limit: number): Promise<Result<Matches, MatchRefusal>>;
  /**
   * The ids of all matching devices, in no particular order, each once, in batches and from one snapshot, in
   * bounded memory. A refusal is thrown as `MatchStreamError`.
   */
  streamIds(request: MatchRequest): AsyncIterable<readonly DeviceId[]>;
}

/** Ends a stream of ids that cannot go on. */
export class MatchStreamError extends Error {
  readonly refusal: MatchRefusal;

  constructor(refusal: MatchRefusal) {
    super(`the stream of device ids ended: ${refusal.kind}`);
    this.name = 'MatchStreamError';
    this.refusal = refusal;
  }
}
