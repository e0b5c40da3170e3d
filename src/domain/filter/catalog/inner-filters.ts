/** Saved filters that conditions of other filters name (Contract: §18). */
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterId, type OrgId, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';

/** A saved filter that other filters name. Its conditions are read with the custom fields of its owner. */
export interface InnerFilter {
  readonly id: FilterId;
  /** The filter matches only devices of these organizations. Null: of all. */
  readonly orgIds: ReadonlySet<OrgId> | null;
  readonly conditions: ConditionGroup;
}

/** By id; an error says why the filter cannot be evaluated. */
export type InnerFilters = ReadonlyMap<string, Result<InnerFilter, string>>;

/** Each id once. The conditions may be unchecked JSON of any shape. */
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

/** Like `namedFilters`, for stored conditions. */
export function namedIn(conditionsJson: string): readonly FilterId[] {
  return conditionsJson.includes('"filter"') ? namedFilters(JSON.parse(conditionsJson)) : [];
}
