import type { AccessScope } from '#domain/access/access-scope.ts';
import type { PreviewDevice } from '#domain/device/device-row.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

export interface MatchRequest {
  readonly filter: ConditionGroup;
  /** Only devices in reach match or count. */
  readonly scope: AccessScope;
  /** The instant that relative dates count from. */
  readonly at: EpochMs;
  /** The request counts towards this user's share of capacity. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /** Previews call this to give back the request's turn once their work is known to be quick. */
  readonly endTurn?: () => void;
  /** Streams run each statement through this function. If absent, statements run at once. */
  readonly asEvaluation?: AsEvaluation;
}

/**
 * Lets `work` wait for its turn among filter evaluations, and runs it. After a long wait, or if the signal
 * aborts, `work` runs without a turn.
 */
export type AsEvaluation = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export interface Matches {
  readonly totalCount: number;
  /** The first `limit` by lower-cased host name in code point order, then id. */
  readonly devices: readonly PreviewDevice[];
}

export type MatchRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /** The pattern passed the check, but PostgreSQL cannot evaluate it. */
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

/** Finds devices that match a filter (Contract: §4, §5). Rejects only if storage fails or the service is overloaded. */
export interface DeviceMatcher {
  /** Count and devices come from one snapshot. `limit` is 1-100. */
  preview(request: MatchRequest, limit: number): Promise<Result<Matches, MatchRefusal>>;
  /** False if the device is unknown or out of reach. */
  matches(request: MatchRequest, id: DeviceId): Promise<Result<boolean, MatchRefusal>>;
  /**
   * The ids of all matches in batches from one snapshot, each once, unordered, in bounded memory. Refusals are thrown
   * as `MatchStreamError`.
   */
  streamIds(request: MatchRequest): AsyncIterable<readonly DeviceId[]>;
}

/** Thrown by a stream that cannot continue. */
export class MatchStreamError extends Error {
  readonly refusal: MatchRefusal;

  constructor(refusal: MatchRefusal) {
    super(`the stream of device ids ended: ${refusal.kind}`);
    this.name = 'MatchStreamError';
    this.refusal = refusal;
  }
}
