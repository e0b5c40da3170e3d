import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';

/** Spec: Condition. */
export interface LeafJson {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: unknown;
}

/** Spec: ConditionGroup. */
export interface ConditionJson {
  readonly operator: GroupOperator;
  readonly conditions: readonly NodeJson[];
}

/** An element of a group. */
export type NodeJson = LeafJson | ConditionJson;
