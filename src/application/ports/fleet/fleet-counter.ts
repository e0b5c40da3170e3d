import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ListedOrganization, ListedPatch } from '#domain/fleet/fleet-lists.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { FleetSummary, SeenSince } from '#domain/fleet/fleet-summary.ts';
import type { Result } from '#domain/result.ts';
import type { AlertSelection } from './fleet-lists.ts';

export interface CountRequest {
  readonly scope: AccessScope;
  /** The request counts towards this user's share of capacity. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
}

export interface PatchQuery {
  /** Only titles with this status on at least one device; null means all. */
  readonly status: PatchStatus | null;
  /** The page starts after this title, or with the first if null. */
  readonly after: string | null;
  /** 1 or more. */
  readonly limit: number;
}

/** Out of time, or cancelled by the signal. */
export type CountRefusal = { readonly kind: 'timeout' } | { readonly kind: 'cancelled' };

/**
 * Counts a fleet within a time limit (Contract: §10). Each answer comes from one snapshot. Rejects only if storage
 * fails or the service is overloaded.
 */
export interface FleetCounter {
  /** All organizations in reach, in no order. */
  organizations(request: CountRequest): Promise<Result<readonly ListedOrganization[], CountRefusal>>;
  /**
   * By title in code point order. Titles that differ in case are separate. A device counts once per title and status.
   */
  patches(request: CountRequest, query: PatchQuery): Promise<Result<readonly ListedPatch[], CountRefusal>>;
  alerts(request: CountRequest, selection: AlertSelection): Promise<Result<number, CountRefusal>>;
  summary(request: CountRequest, since: SeenSince): Promise<Result<FleetSummary, CountRefusal>>;
}
