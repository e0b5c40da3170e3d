/**
 * A filter as a tree of AND and OR groups (Spec: ConditionGroup, Condition). Only `parseConditions` creates trees, so
 * later code need not check them. Trees can be tens of thousands of levels deep: use `foldConditions`, never recursion.
 */
import type {
  FilterField,
  InnerField,
  ListField,
  PatchField,
  RowsField,
  SoftwareField,
  ValueField,
  VersionsField,
} from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type {
  InnerPredicate,
  ListPredicate,
  NamePredicate,
  Predicate,
  TextPredicate,
  ValuePredicate,
  VersionPredicate,
} from './predicate.ts';

/** A condition for evaluators. The predicate always suits the field. */
export type Criterion =
  | ValueCriterion
  | RowsCriterion
  | ListCriterion
  | SoftwareCriterion
  | VersionsCriterion
  | PatchCriterion
  | InnerCriterion;

/** Tests a single value. */
export type ValueCriterion = CriterionOn<ValueField, ValuePredicate>;
/** True if any row matches. */
export type RowsCriterion = CriterionOn<RowsField, TextPredicate>;

/** Tests a whole list. */
export type ListCriterion = CriterionOn<ListField, ListPredicate>;

/** Tests names of installed software. */
export type SoftwareCriterion = CriterionOn<SoftwareField, NamePredicate>;

/** True if any installed version of the title matches. */
export type VersionsCriterion = CriterionOn<VersionsField, VersionPredicate>;

/** Tests titles of pending or failed patches. */
export type PatchCriterion = CriterionOn<PatchField, NamePredicate>;

/** True if any of the named filters matches. */
export type InnerCriterion = CriterionOn<InnerField, InnerPredicate>;

interface CriterionOn<F extends FilterField, P extends Predicate> {
  readonly kind: 'condition';
  readonly reads: F['reads'];
  readonly field: F;
  readonly predicate: P;
  readonly isNegated: boolean;
}

/** A criterion with the operator and value that the client sent. */
export type Condition = Criterion & {
  readonly operator: Operator;
  /** As sent; undefined if absent. */
  readonly value: unknown;
};

/** A group. Only simplified groups may be empty: an empty AND is true, an empty OR false. */
export interface Group<L extends Criterion> {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly conditions: readonly Node<L>[];
}

/** A condition or a group. */
export type Node<L extends Criterion> = L | Group<L>;

/** Case-sensitive (Spec: ConditionGroup). */
export const GROUP_OPERATORS = ['AND', 'OR'] as const;
export type GroupOperator = (typeof GROUP_OPERATORS)[number];

export type ConditionGroup = Group<Condition>;

export type ConditionNode = Node<Condition>;
