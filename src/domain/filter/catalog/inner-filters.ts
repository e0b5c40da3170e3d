/** Saved filters that conditions of other filters name (Contract: §18). */
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterId, type OrgId, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';

/** The conditions are understood where the filter belongs. */
export interface InnerFilter {
  readonly id: FilterId;
  /** Matches only devices of these organizations; null: of all that are evaluated. */
  readonly orgIds: ReadonlySet<OrgId> | null;
  readonly conditions: ConditionGroup;
}

/** By id: the filters that conditions may name, or why one cannot be evaluated. */
export type InnerFilters = ReadonlyMap<string, Result<InnerFilter, string>>;

/** Each id once. Unchecked conditions may hold anything. */
export function namedFilters(conditions: unknown): readonly FilterId[] {
  const ids = new Set<FilterId>();
  const open: unknown[] = [conditions];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node)) continue;
    if (Array.isArray(node.conditions)) for (const element of node.conditions) open.push(element);
    if (node.field !== 'filter') continue;
    for (const value of Array.isArray(node.value) ? node.value : [node.value]) {
      const id = parseId<'filter'>(value);
      if (id !== null) ids.add(id);
    }
  }
  return [...ids];
}

/** For conditions as stored. */
export function namedIn(conditionsJson: string): readonly FilterId[] {
  return conditionsJson.includes('"filter"') ? namedFilters(JSON.parse(conditionsJson)) : [];
}
