import type { Operator } from './operator.ts';

/** Spec: Operators allowed per field type; Contract: §18. A field may allow fewer (`CoreField.operators`). */
export const OPERATORS_BY_TYPE = {
  string: [
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'endsWith',
    'matches',
    'in',
    'notIn',
    'isNull',
    'isNotNull',
  ],
  enum: ['equals', 'notEquals', 'in', 'notIn'],
  datetime: [
    'equals',
    'notEquals',
    'before',
    'after',
    'between',
    'withinLast',
    'notWithinLast',
    'isNull',
    'isNotNull',
  ],
  array: ['hasAny', 'hasAll', 'isEmpty', 'isNotEmpty', 'contains'],
  boolean: ['equals', 'notEquals', 'isNull', 'isNotNull'],
  number: [
    'equals',
    'notEquals',
    'greaterThan',
    'greaterThanOrEquals',
    'lessThan',
    'lessThanOrEquals',
    'between',
    'isNull',
    'isNotNull',
  ],
  version: [
    'equals',
    'notEquals',
    'greaterThan',
    'greaterThanOrEquals',
    'lessThan',
    'lessThanOrEquals',
    'between',
    'in',
    'notIn',
    'isNull',
    'isNotNull',
  ],
} as const satisfies Record<string, readonly Operator[]>;

/** `datetime` is called `date` in the specification (Contract: §3). */
export type FieldType = keyof typeof OPERATORS_BY_TYPE;
