/** Says what each part of a filter contributes (Contract: §12). */
import type { ActualValue } from '#domain/filter/evaluate/actual-value.ts';
import type { NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { MatchRefusal, MatchRequest } from './device-matcher.ts';

/** What to explain, and for whom. */
export interface ExplainRequest extends MatchRequest {
  /** A device to look at more closely, or null. */
  readonly deviceId: DeviceId | null;
}

/** What each node of the filter contributes, from one snapshot. */
export interface Explanation {
  /** All devices in scope. */
  readonly deviceCount: number;
  /** For each node of the filter, as `listNodes` lists them. Nothing is merged or left out. */
  readonly counts: readonly NodeCount[];
  /** The device at each node; null if none was asked for. */
  readonly device: readonly DeviceAtNode[] | null;
}

/** One device, at one node. */
export interface DeviceAtNode {
  readonly matches: boolean;
  /** What the device has in the field of a condition; undefined at groups. */
  readonly actual: ActualValue | undefined;
}

/** Why there is no explanation; `unknown-device`: there is no such device in scope. */
export type ExplainRefusal = MatchRefusal | { readonly kind: 'unknown-device' };

/**
 * Everything from one snapshot and at one instant; a count is the one that a preview of the node alone has. Rejects only if
 * storage fails or the service is overloaded. The filter has at most 500 nodes.
 */
export type FilterExplainer = (request: ExplainRequest) => Promise<Result<Explanation, ExplainRefusal>>;
