/** Counts what is in a fleet, within a time limit (Contract: §10). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ListedOrganization, ListedPatch } from '#domain/fleet/fleet-lists.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { FleetSummary, SeenSince } from '#domain/fleet/fleet-summary.ts';
import type { Result } from '#domain/result.ts';

/** What to count, and for whom. */
export interface CountRequest {
  /** Only what belongs to organizations in reach counts. */
  readonly scope: AccessScope;
  /** The user whose share of capacity the work counts towards; users cannot starve each other. */
  readonly onBehalfOf: string;
  /** Cancels the work. */
  readonly signal?: AbortSignal;
}

/** A page of patch titles. */
export interface PatchQuery {
  /** Only titles that are in this status on some device; null: all. */
  readonly status: PatchStatus | null;
  /** The page starts behind this title; null starts with the first. */
  readonly after: string | null;
  /** At most this many titles; 1 or more. */
  readonly limit: number;
}

/** Why there are no counts: out of time, or cancelled by the signal. */
export type CountRefusal = { readonly kind: 'timeout' } | { readonly kind: 'cancelled' };

/** Each answer is from one snapshot. Rejects only if storage fails or the service is overloaded. */
export interface FleetCounter {
  /** The organizations in reach, those without devices too, in no particular order. */
  organizations(request: CountRequest): Promise<Result<readonly ListedOrganization[], CountRefusal>>;
  /**
   * The titles of patches, by code point. A device counts once for a title and a status, however often it has them;
   * what differs at all, be it in case, is another title.
   */
  patches(request: CountRequest, query: PatchQuery): Promise<Result<readonly ListedPatch[], CountRefusal>>;
  summary(request: CountRequest, since: SeenSince): Promise<Result<FleetSummary, CountRefusal>>;
}
