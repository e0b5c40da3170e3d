/**
 * The filter as a tree: groups of AND or OR over conditions (Spec: ConditionGroup, Condition). It is made by
 * `parseConditions` only, so whatever holds one need not check it again. It may be tens of thousands of levels
 * deep: walk it with `foldConditions`, never by recursion.
 */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { Predicate } from './predicate.ts';

/** A question put to one field of a device: all that an evaluator needs to know of a condition. */
export interface Criterion {
  readonly kind: 'condition';
  readonly field: FilterField;
  readonly predicate: Predicate;
  /** The test holds where the predicate does not. */
  readonly isNegated: boolean;
}

/** A test as it was written. */
export interface Condition extends Criterion {
  readonly operator: Operator;
  /** The value as it was sent; undefined where there is none. */
  readonly value: unknown;
}

/**
 * AND or OR over leaves and groups. A parsed group has at least one member; a simplified one may have none, and
 * AND of nothing is true, OR of nothing false.
 */
export interface Group<L extends Criterion> {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly conditions: readonly Node<L>[];
}

export type Node<L extends Criterion> = L | Group<L>;

export const GROUP_OPERATORS = ['AND', 'OR'] as const;
export type GroupOperator = (typeof GROUP_OPERATORS)[number];

/** A parsed filter. */
export type ConditionGroup = Group<Condition>;
export type ConditionNode = Node<Condition>;
