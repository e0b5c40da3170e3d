/**
 * The filter as a tree: groups of AND or OR over conditions (Spec: ConditionGroup, Condition). Only
 * `parseConditions` makes one, so code that holds a tree need not check it again. It may be tens of thousands of
 * levels deep: walk it with `foldConditions`, never by recursion.
 */
import type {
  FilterField,
  ListField,
  RowsField,
  SoftwareField,
  ValueField,
} from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type {
  ListPredicate,
  Predicate,
  SoftwarePredicate,
  TextPredicate,
  ValuePredicate,
} from './predicate.ts';

/**
 * One condition as understood: all that an evaluator needs. `reads` is that of the field; what a field holds and
 * what is asked of it always agree.
 */
export type Criterion = ValueCriterion | RowsCriterion | ListCriterion | SoftwareCriterion;

/** Asks for the one value of a field. */
export type ValueCriterion = CriterionOn<ValueField, ValuePredicate>;
/** Holds where the predicate holds of any row. */
export type RowsCriterion = CriterionOn<RowsField, TextPredicate>;

/** Asks for a list as a whole. */
export type ListCriterion = CriterionOn<ListField, ListPredicate>;

/** Asks for the names of installed software. */
export type SoftwareCriterion = CriterionOn<SoftwareField, SoftwarePredicate>;

interface CriterionOn<F extends FilterField, P extends Predicate> {
  readonly kind: 'condition';
  readonly reads: F['reads'];
  readonly field: F;
  readonly predicate: P;
  /** The criterion holds exactly where the predicate does not. */
  readonly isNegated: boolean;
}

/** A criterion together with the condition as it was written. */
export type Condition = Criterion & {
  readonly operator: Operator;
  /** The value as it was sent; undefined if none was. */
  readonly value: unknown;
};

/**
 * AND or OR over leaves and groups. A parsed group has at least one member; a simplified one may have none, and
 * AND of nothing is true, OR of nothing false.
 */
export interface Group<L extends Criterion> {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly conditions: readonly Node<L>[];
}

/** A tree with such leaves. */
export type Node<L extends Criterion> = L | Group<L>;

/** Case-sensitive (Spec: ConditionGroup). */
export const GROUP_OPERATORS = ['AND', 'OR'] as const;
export type GroupOperator = (typeof GROUP_OPERATORS)[number];

/** A parsed filter. */
export type ConditionGroup = Group<Condition>;

/** A parsed filter, or a part of one. */
export type ConditionNode = Node<Condition>;
