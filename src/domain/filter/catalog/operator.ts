/** The 24 operators and the shape of the value that each takes (Spec: Operators, Value shapes by operator). */

/** Every operator with its value shape; the keys are the list. */
export const VALUE_SHAPES = {
  equals: 'scalar',
  notEquals: 'scalar',
  greaterThan: 'scalar',
  greaterThanOrEquals: 'scalar',
  lessThan: 'scalar',
  lessThanOrEquals: 'scalar',
  contains: 'scalar',
  notContains: 'scalar',
  startsWith: 'scalar',
  endsWith: 'scalar',
  matches: 'scalar',
  in: 'list',
  notIn: 'list',
  hasAny: 'list',
  hasAll: 'list',
  isEmpty: 'none',
  isNotEmpty: 'none',
  isNull: 'none',
  isNotNull: 'none',
  before: 'date',
  after: 'date',
  between: 'range',
  withinLast: 'span',
  notWithinLast: 'span',
} as const satisfies Record<string, ValueShape>;

/** `none` means that the condition has no value. */
export type ValueShape = 'scalar' | 'list' | 'date' | 'range' | 'span' | 'none';

export type Operator = keyof typeof VALUE_SHAPES;

/** All 24. */
export const OPERATORS = Object.keys(VALUE_SHAPES) as readonly Operator[];

/** Whether the text is one of the 24, case-sensitive. */
export function isOperator(text: string): text is Operator {
  return Object.hasOwn(VALUE_SHAPES, text);
}

/**
 * The operators that are the exact complement of another, and of which (Contract: §4, the law): each device is
 * in exactly one of the two.
 */
export const COMPLEMENTS = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
  notWithinLast: 'withinLast',
  isNull: 'isNotNull',
  isNotEmpty: 'isEmpty',
} as const satisfies Partial<Record<Operator, Operator>>;
