/**
 * What a device must have to match a filter. Most filters demand something rare, such as a tag, so look-ups
 * rule most filters out.
 */
import { CORE_CATALOG, type FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { TextLike } from '#domain/filter/conditions/predicate.ts';

export type RequiredKey =
  /** A `value` that is a name of software or of a patch is case-folded. */
  | { readonly kind: 'value'; readonly field: FilterField; readonly value: string | number | boolean }
  | { readonly kind: 'missing'; readonly field: FilterField }
  | { readonly kind: TextKeyKind; readonly field: FilterField; readonly text: string };

/** A `part` has `PART_LENGTH` units, a `start` or `end` one of `EDGE_LENGTHS`. */
export type TextKeyKind = 'start' | 'end' | 'part';

/** In UTF-16 code units. */
export const PART_LENGTH = 3;

/** In UTF-16 code units, ascending. The longest that fits is used. */
export const EDGE_LENGTHS = [1, 2, 4, 8] as const;

/** With more keys, evaluating the filter is cheaper than looking it up. */
const MAX_KEYS = 64;

/** In UTF-16 code units. Longer values are not stored as keys. */
const MAX_VALUE_LENGTH = 500;

/** If the estimated shares of devices add up to more, the keys rule out too few devices. */
const MAX_SHARE = 1;

/**
 * A matching device has at least one of these keys. Empty if no device can match; null if nothing can be looked up.
 * `root` must be simplified.
 */
export function requiredKeys(root: Node<Criterion>): readonly RequiredKey[] | null {
  const demand = foldConditions<Criterion, Demand | null>(root, {
    condition: demandOf,
    group: ({ operator }, members) => (operator === 'AND' ? rarest(members) : union(members)),
  });
  return demand === null || demand.share > MAX_SHARE ? null : demand.keys;
}

interface Demand {
  readonly keys: readonly RequiredKey[];
  /** The estimated share of devices with at least one of the keys, for comparisons only. */
  readonly share: number;
}

/** All members must hold, so the keys of one suffice. */
function rarest(members: readonly (Demand | null)[]): Demand | null {
  let best: Demand | null = null;
  for (const member of members) {
    if (member !== null && (best === null || member.share < best.share)) best = member;
  }
  return best;
}

/** Any member may hold, so all keys are needed. */
function union(members: readonly (Demand | null)[]): Demand | null {
  let size = 0;
  for (const member of members) {
    if (member === null) return null;
    size += member.keys.length;
    if (size > MAX_KEYS) return null;
  }
  const demands = members.filter((member) => member !== null);
  return {
    keys: demands.flatMap(({ keys }) => keys),
    share: demands.reduce((sum, { share }) => sum + share, 0),
  };
}

function demandOf({ field, predicate, isNegated }: Criterion): Demand | null {
  if (field.reads === 'versions') return isNegated ? null : titleDemand(field.source.folded);
  if (isNegated) return predicate.kind === 'present' ? one({ kind: 'missing', field }) : null;
  switch (predicate.kind) {
    case 'textIn':
    case 'numberIn':
    case 'foldedTextIn':
    case 'hasAny':
      if (predicate.values.size > MAX_KEYS) return null;
      return union([...predicate.values].map((value) => valueDemand(field, value)));
    case 'hasAll':
    case 'hasAllFolded': {
      const [value] = predicate.values;
      return value === undefined ? null : valueDemand(field, value);
    }
    case 'booleanIs':
      return one({ kind: 'value', field, value: predicate.value });
    case 'textLike': {
      const key = textKey(field, predicate);
      return key === null ? null : one(key);
    }
    case 'empty':
      return one({ kind: 'missing', field });
    case 'present':
    case 'pattern':
    case 'numberRange':
    case 'versionRange':
    case 'instantIn':
    case 'withinLast':
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
    case 'matchesAny':
      return null;
  }
}

function one(key: RequiredKey): Demand {
  return { keys: [key], share: shareOf(key) };
}

/** A condition on a title's versions requires that the title is installed. */
function titleDemand(folded: string): Demand | null {
  const entry = CORE_CATALOG.get('software.installed');
  return entry?.kind === 'field' ? valueDemand(entry.field, folded) : null;
}

function valueDemand(field: FilterField, value: string | number): Demand | null {
  if (typeof value === 'string' && value.length > MAX_VALUE_LENGTH) return null;
  return one({ kind: 'value', field, value });
}

/** A text that contains `folded` contains each part of it. Null if `folded` is too short. */
function textKey(field: FilterField, { position, folded }: TextLike): RequiredKey | null {
  // The last part is used, because names of a family differ at the end: `web-01`, `web-02`.
  if (position === 'anywhere') {
    if (folded.length < PART_LENGTH) return null;
    return { kind: 'part', field, text: folded.slice(-PART_LENGTH) };
  }
  const length = EDGE_LENGTHS.findLast((each) => each <= folded.length);
  if (length === undefined) return null;
  return position === 'start'
    ? { kind: 'start', field, text: folded.slice(0, length) }
    : { kind: 'end', field, text: folded.slice(-length) };
}

function shareOf(key: RequiredKey): number {
  const { field, kind } = key;
  switch (kind) {
    case 'value':
      if (field.key === 'orgId') return 1;
      if (field.type === 'boolean') return key.value === true ? 0.3 : 0.7;
      if (field.values !== null) return 1.5 / field.values.length;
      if (['software', 'patches', 'list'].includes(field.reads) || field.isUuid) return 0.05;
      return field.type === 'number' ? 0.02 : 0.005;
    case 'missing':
      return 0.4;
    case 'start':
    case 'end':
    case 'part':
      return 0.2 / key.text.length;
  }
}
