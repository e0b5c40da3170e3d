/**
 * The case table of conditions: for each row, the matching devices of one fleet, worked out by hand from the contract
 * (§3, §4). Every evaluator, store and route that evaluates filters is tested against it.
 */
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { ConditionCase } from './condition-cases/case.ts';
import { CHOICE_CASES } from './condition-cases/choice-cases.ts';
import { CUSTOM_CASES } from './condition-cases/custom-cases.ts';
import { DATE_CASES } from './condition-cases/date-cases.ts';
import { LIST_CASES } from './condition-cases/list-cases.ts';
import { NUMBER_CASES } from './condition-cases/number-cases.ts';
import { TEXT_CASES } from './condition-cases/text-cases.ts';
import { VERSION_CASES } from './condition-cases/version-cases.ts';

export const CONDITION_CASES: readonly ConditionCase[] = [
  ...TEXT_CASES,
  ...CHOICE_CASES,
  ...LIST_CASES,
  ...NUMBER_CASES,
  ...DATE_CASES,
  ...CUSTOM_CASES,
  ...VERSION_CASES,
];

/** Every device matches exactly one operator of a pair, for each field and value (Contract: §4, the law). */
export const COMPLEMENT_PAIRS: readonly (readonly [Operator, Operator])[] = [
  ['equals', 'notEquals'],
  ['contains', 'notContains'],
  ['in', 'notIn'],
  ['withinLast', 'notWithinLast'],
  ['isNull', 'isNotNull'],
  ['isEmpty', 'isNotEmpty'],
];
