import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { compareCodePoints, countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { isSameJson } from '#domain/text/json-text.ts';
import { trimText, unstorableReason } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** A filter of an organization or a partner (Spec: Saved filter; Contract: §18). */
export interface SavedFilter {
  readonly id: FilterId;
  /** Null if the filter is partner-wide. */
  readonly orgId: OrgId | null;
  /** Null if the filter is an organization's. */
  readonly partnerId: PartnerId | null;
  readonly name: string;
  readonly description: string | null;
  /** The tree as sent, as JSON text; evaluation parses it again. */
  readonly conditionsJson: string;
  readonly createdBy: UserId;
  /** Null if a load made the last change, or if unknown. */
  readonly changedBy: UserId | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  /** Counts changes from 1; the ETag contains it. */
  readonly version: number;
}

/** An organization or a partner. */
export function ownerOfFilter({
  id,
  orgId,
  partnerId,
}: Pick<SavedFilter, 'id' | 'orgId' | 'partnerId'>): Owner {
  if (orgId !== null) return { kind: 'organization', orgId };
  if (partnerId !== null) return { kind: 'partner', partnerId };
  throw new Error(`filter ${id} has no owner`);
}

/** Spec: Limits. In code points, after trimming. */
export const MAX_FILTER_NAME_LENGTH = 200;

/** Spec: Limits. In code points. */
export const MAX_FILTER_DESCRIPTION_LENGTH = 1000;

/** The stored value of an absent member does not change. */
export interface FilterChange {
  readonly name?: string;
  readonly description?: string | null;
  readonly conditionsJson?: string;
}

/** Named as in the audit log. */
export type ChangedField = 'name' | 'description' | 'conditions';

/** The trimmed name. */
export function parseFilterName(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err('name must be a string of 1 to 200 characters');
  const reason = unstorableReason(value);
  if (reason !== null) return err(`name ${reason}`);
  const name = trimText(value);
  const length = countCodePoints(name);
  return length >= 1 && length <= MAX_FILTER_NAME_LENGTH
    ? ok(name)
    : err(`name must have 1 to ${MAX_FILTER_NAME_LENGTH} characters after trimming; it has ${length}`);
}

/** As sent; absent means null. */
export function parseFilterDescription(value: unknown): Result<string | null, string> {
  if (value === null || value === undefined) return ok(null);
  if (typeof value !== 'string')
    return err('description must be a string of at most 1,000 characters, or null');
  const reason = unstorableReason(value);
  if (reason !== null) return err(`description ${reason}`);
  const length = countCodePoints(value);
  return length <= MAX_FILTER_DESCRIPTION_LENGTH
    ? ok(value)
    : err(`description must have at most ${MAX_FILTER_DESCRIPTION_LENGTH} characters; it has ${length}`);
}

/** The state of a filter between two changes (Contract: §18). */
export interface FilterVersion
  extends Pick<SavedFilter, 'version' | 'name' | 'description' | 'conditionsJson' | 'changedBy'> {
  readonly at: EpochMs;
}

/** Contract: §18. The current version included. */
export const MAX_FILTER_VERSIONS = 100;

/** The filter's current version. */
export function versionOf(filter: SavedFilter): FilterVersion {
  const { version, name, description, conditionsJson, changedBy, updatedAt } = filter;
  return { version, name, description, conditionsJson, changedBy, at: updatedAt };
}

export interface FilterRevision {
  readonly filter: SavedFilter;
  /** If empty, `updatedAt` is unchanged, too. */
  readonly changed: readonly ChangedField[];
}

/** `updatedAt` increases if something changed. `by` is null for a load. */
export function reviseFilter(
  filter: SavedFilter,
  change: FilterChange,
  by: UserId | null,
  now: EpochMs,
): FilterRevision {
  const next = {
    name: change.name ?? filter.name,
    description: change.description === undefined ? filter.description : change.description,
    conditionsJson: change.conditionsJson ?? filter.conditionsJson,
  };
  const changed: ChangedField[] = [];
  if (next.name !== filter.name) changed.push('name');
  if (next.description !== filter.description) changed.push('description');
  if (next.conditionsJson !== filter.conditionsJson) changed.push('conditions');
  if (changed.length === 0) return { filter, changed };
  const updatedAt = Math.max(now, filter.updatedAt + 1);
  return { filter: { ...filter, ...next, changedBy: by, updatedAt, version: filter.version + 1 }, changed };
}

/**
 * Drops new conditions that differ from the stored ones only in the order of JSON members, because many clients
 * sort members.
 */
export function withoutSameConditions(filter: SavedFilter, change: FilterChange): FilterChange {
  const { conditionsJson, ...others } = change;
  return conditionsJson !== undefined && isSameJson(conditionsJson, filter.conditionsJson) ? others : change;
}

/** Newest first, ties by id, descending (Contract: §5). */
export function compareNewestFirst(a: SavedFilter, b: SavedFilter): number {
  return b.createdAt - a.createdAt || compareCodePoints(b.id, a.id);
}

/** Searches name and description, ignoring case. The empty text matches everything. */
export function matchesSearch(filter: Pick<SavedFilter, 'name' | 'description'>, search: string): boolean {
  const folded = foldCase(trimText(search));
  return foldCase(filter.name).includes(folded) || foldCase(filter.description ?? '').includes(folded);
}
