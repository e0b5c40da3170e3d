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
  /** For relative dates. */
  readonly at: EpochMs;
  /** The user whose share of capacity pays for the work. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /** For previews: ends the request's turn once the work is known to be quick. */
  readonly endTurn?: () => void;
  /** For streams: each statement takes a turn among evaluations. If absent, statements run at once. */
  readonly asEvaluation?: AsEvaluation;
}

/**
 * Does the work in a turn among evaluations. After a long wait, or if the signal aborts, the work is done without a
 * turn.
 */
export type AsEvaluation = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export interface Matches {
  /** In scope. */
  readonly totalCount: number;
  /** The first `limit` by lower-cased hostname in code point order, then id. */
  readonly devices: readonly PreviewDevice[];
}

export type MatchRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /** PostgreSQL cannot evaluate a pattern that passed the check. */
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

/** Finds devices that match a filter (Contract: §4, §5). Rejects only if storage fails or the service is overloaded. */
export interface DeviceMatcher {
  /** Count and devices come from one snapshot. `limit` is 1-100. */
  preview(request: MatchRequest, limit: number): Promise<Result<Matches, MatchRefusal>>;
  /** False if the device is unknown or out of reach. */
  matches(request: MatchRequest, id: DeviceId): Promise<Result<boolean, MatchRefusal>>;
  /**
   * All matches in batches of ids, each once, unordered, from one snapshot, in bounded memory. Refusals are thrown as
   * `MatchStreamError`.
   */
  streamIds(request: MatchRequest): AsyncIterable<readonly DeviceId[]>;
}

/** Thrown by streams that cannot continue. */
export class MatchStreamError extends Error {
  readonly refusal: MatchRefusal;

  constructor(refusal: MatchRefusal) {
    super(`the stream of device ids ended: ${refusal.kind}`);
    this.name = 'MatchStreamError';
    this.refusal = refusal;
  }
}
