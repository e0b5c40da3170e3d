/** A filter that an organization keeps (Spec: Saved filter). */
import type { FilterId, OrgId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { isSameJson } from '#domain/text/same-json.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { trimText } from '#domain/text/trim-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** A filter that an organization keeps (Spec: Saved filter). */
export interface SavedFilter {
  readonly id: FilterId;
  readonly orgId: OrgId;
  readonly name: string;
  readonly description: string | null;
  /** The accepted tree as it was sent, as JSON text; it is parsed again when it is evaluated. */
  readonly conditionsJson: string;
  readonly createdBy: UserId;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  /** Counts the changes, from 1; the ETag is made of it. */
  readonly version: number;
}

/** Spec: Limits. Code points, after trimming. */
export const MAX_FILTER_NAME_LENGTH = 200;

/** Spec: Limits. Code points. */
export const MAX_FILTER_DESCRIPTION_LENGTH = 1000;

/** The parts of a saved filter that its users can change. */
export interface FilterChange {
  readonly name?: string;
  readonly description?: string | null;
  readonly conditionsJson?: string;
}

/** What a PATCH can change, by the names that the audit log has. */
export type ChangedField = 'name' | 'description' | 'conditions';

/** The name, trimmed, or why it cannot be one. */
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

/** The description as it was sent; leaving it out is the same as null. */
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

/** What a change made of a filter. */
export interface FilterRevision {
  readonly filter: SavedFilter;
  /** The names of the fields that differ; if there are none, the filter is unchanged, its `updatedAt` too. */
  readonly changed: readonly ChangedField[];
}

/** The filter with a change applied. `updatedAt` moves only if something changed, and always forward. */
export function reviseFilter(filter: SavedFilter, change: FilterChange, now: EpochMs): FilterRevision {
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
  return { filter: { ...filter, ...next, updatedAt, version: filter.version + 1 }, changed };
}

/**
 * The change without conditions that the filter has already, with the members of objects in whatever order: JSON gives
 * that no meaning, and many clients sort what they send.
 */
export function withoutSameConditions(filter: SavedFilter, change: FilterChange): FilterChange {
  const { conditionsJson, ...others } = change;
  return conditionsJson !== undefined && isSameJson(conditionsJson, filter.conditionsJson) ? others : change;
}

/** Newest first, ties by id, descending (Contract: §5). */
export function compareNewestFirst(a: SavedFilter, b: SavedFilter): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Whether name or description contains the trimmed text, ignoring case; every filter contains the empty text. */
export function matchesSearch(filter: Pick<SavedFilter, 'name' | 'description'>, search: string): boolean {
  const folded = foldCase(trimText(search));
  return foldCase(filter.name).includes(folded) || foldCase(filter.description ?? '').includes(folded);
}
