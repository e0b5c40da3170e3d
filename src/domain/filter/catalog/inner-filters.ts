/** Saved filters that the conditions of others name (Contract: §18). */
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterId, type OrgId, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';

/** A filter in a filter, with its conditions as understood where it belongs. */
export interface InnerFilter {
  readonly id: FilterId;
  /** It matches devices of these organizations only; null: of all that are evaluated. */
  readonly orgIds: ReadonlySet<OrgId> | null;
  readonly conditions: ConditionGroup;
}

/** By id, what conditions may name; or why it cannot be evaluated. */
export type InnerFilters = ReadonlyMap<string, Result<InnerFilter, string>>;

/** The ids that conditions name in the field `filter`, each once. Unchecked conditions may hold anything. */
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

/** As `namedFilters`, of conditions as they are stored. */
export function namedIn(conditionsJson: string): readonly FilterId[] {
  return conditionsJson.includes('"filter"') ? namedFilters(JSON.parse(conditionsJson)) : [];
}
