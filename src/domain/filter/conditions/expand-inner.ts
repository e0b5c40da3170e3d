/**
 * Replaces inner filters by their conditions, so evaluators and indexes see one tree (Contract: §18). The tree
 * doubles at each level if each filter names the next one twice, so a tree that would grow too large is not
 * expanded. Evaluators then evaluate each inner filter once per device.
 */
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Criterion, Group, InnerCriterion, Node } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';

/** A tree of at most this many nodes is expanded even if it repeats filters. */
const MAX_REPEATING_NODES = 2_000;

/** Replaces all inner filters or none. */
export function expandInner(root: Node<Criterion>): Node<Criterion> {
  const sizes = new Map<InnerFilter, number>();
  let distinct = 0;
  const sizeOf = (node: Node<Criterion>): number => {
    let own = 0;
    const all = foldConditions<Criterion, number>(node, {
      condition: (criterion) => {
        own++;
        if (criterion.reads !== 'filter') return 1;
        return filtersOf(criterion).reduce((sum, filter) => sum + innerSize(filter), 1);
      },
      group: (_, members) => {
        own++;
        return members.reduce((sum, member) => sum + member, 1);
      },
    });
    distinct += own;
    return all;
  };
  const innerSize = (filter: InnerFilter): number => {
    const size = sizes.get(filter) ?? sizeOf(filter.conditions) + 2;
    sizes.set(filter, size);
    return size;
  };
  const size = sizeOf(root);
  if (sizes.size === 0 || size > Math.max(MAX_REPEATING_NODES, 4 * distinct)) return root;
  return expand(root, new Map());
}

/** Throws if the filters' conditions are unknown. */
export function filtersOf({ predicate }: InnerCriterion): readonly InnerFilter[] {
  if (predicate.filters === null) throw new Error('the conditions of filters in a filter are not known');
  return predicate.filters;
}

export function conditionsOf({ orgIds, conditions }: InnerFilter): Node<Criterion> {
  return orgIds === null ? conditions : group('AND', [isIn(orgIds), conditions]);
}

/** Includes inner filters that were too large to expand, and visits each of them once. */
export function eachCriterion(
  root: Node<Criterion>,
  simplify: (root: Node<Criterion>) => Node<Criterion>,
  visit: (criterion: Exclude<Criterion, InnerCriterion>) => void,
): void {
  const known = new Set<InnerFilter>();
  const open = [simplify(root)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    foldConditions<Criterion, void>(node, {
      condition: (criterion) => {
        if (criterion.reads !== 'filter') return visit(criterion);
        for (const filter of filtersOf(criterion)) {
          if (known.has(filter)) continue;
          known.add(filter);
          open.push(simplify(conditionsOf(filter)));
        }
      },
      group: () => undefined,
    });
  }
}

function expand(root: Node<Criterion>, known: Map<InnerFilter, Node<Criterion>>): Node<Criterion> {
  return foldConditions<Criterion, Node<Criterion>>(root, {
    condition: (criterion) => {
      if (criterion.reads !== 'filter') return criterion;
      const any = group(
        'OR',
        filtersOf(criterion).map((filter) => {
          const expanded = known.get(filter) ?? expand(conditionsOf(filter), known);
          known.set(filter, expanded);
          return expanded;
        }),
      );
      return criterion.isNegated ? negate(any) : any;
    },
    group: ({ operator }, members) => group(operator, members),
  });
}

/** Conditions are true or false, never NULL, so De Morgan's laws hold. */
function negate(root: Node<Criterion>): Node<Criterion> {
  return foldConditions<Criterion, Node<Criterion>>(root, {
    condition: (criterion) => ({ ...criterion, isNegated: !criterion.isNegated }),
    group: ({ operator }, members) => group(operator === 'AND' ? 'OR' : 'AND', members),
  });
}

function group(
  operator: Group<Criterion>['operator'],
  conditions: readonly Node<Criterion>[],
): Node<Criterion> {
  return { kind: 'group', operator, conditions };
}

function isIn(orgIds: ReadonlySet<OrgId>): Criterion {
  const entry = CORE_CATALOG.get('orgId');
  if (entry?.kind !== 'field' || entry.field.reads !== 'value') throw new Error('orgId is no field');
  const predicate = { kind: 'textIn', values: orgIds } as const;
  return { kind: 'condition', reads: 'value', field: entry.field, predicate, isNegated: false };
}
