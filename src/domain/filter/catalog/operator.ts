/** Spec: Value shapes by operator. */
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

/** `none`: the condition has no value. */
export type ValueShape = 'scalar' | 'list' | 'date' | 'range' | 'span' | 'none';

export type Operator = keyof typeof VALUE_SHAPES;

/** In the order of the specification. */
export const OPERATORS = Object.keys(VALUE_SHAPES) as readonly Operator[];

/** Case-sensitive. */
export function isOperator(text: string): text is Operator {
  return Object.hasOwn(VALUE_SHAPES, text);
}
