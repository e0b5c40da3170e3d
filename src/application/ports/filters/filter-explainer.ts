import type { ActualValue } from '#domain/filter/evaluate/read-field.ts';
import type { NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { MatchRefusal, MatchRequest } from './device-matcher.ts';

export interface ExplainRequest extends MatchRequest {
  /** A device to explain in detail, or null. */
  readonly deviceId: DeviceId | null;
}

/** All counts come from one snapshot. */
export interface Explanation {
  /** All devices in scope. */
  readonly deviceCount: number;
  /** Matches of the whole filter, exact even if `counts` are of a sample. */
  readonly totalCount: number;
  /** The number of devices that `counts` cover, if counting all would take too long. Null means all. */
  readonly sampledCount: number | null;
  /** One for each node, in the order of `listNodes`. */
  readonly counts: readonly NodeCount[];
  /** The requested device at each node, in the order of `listNodes`; null if none was requested. */
  readonly device: readonly DeviceAtNode[] | null;
}

export interface DeviceAtNode {
  readonly matches: boolean;
  /** The device's value at a condition; undefined at a group. */
  readonly actual: ActualValue | undefined;
}

/** `unknown-device`: the device is unknown or out of reach. */
export type ExplainRefusal = MatchRefusal | { readonly kind: 'unknown-device' };

/**
 * Counts the devices at each node (Contract: §12), from one snapshot at one instant. Without a sample, each count
 * equals that of a preview of the node. At most 500 nodes. Rejects only if storage fails or the service is overloaded.
 */
export type FilterExplainer = (request: ExplainRequest) => Promise<Result<Explanation, ExplainRefusal>>;
