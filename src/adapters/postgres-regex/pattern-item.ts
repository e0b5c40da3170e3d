/**
 * Pattern items are in postfix order: operands precede operators. A loop with an explicit stack reads them,
 * so nesting cannot overflow the call stack.
 */
import { assertNever } from '#domain/assert-never.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';
import type { CharacterSet } from './characters/character-set.ts';

export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-start'
  | 'word-end'
  | 'word-boundary'
  | 'not-word-boundary';

export type LookDirection = 'ahead' | 'behind';

/** `concatenate` and `alternate` take their last `count` operands. */
export type PatternItem =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'empty' }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'back-reference'; readonly group: number }
  | { readonly kind: 'concatenate'; readonly count: number }
  | { readonly kind: 'alternate'; readonly count: number }
  /** `capture` is the group's number, if it captures. */
  | { readonly kind: 'group'; readonly capture: number | undefined }
  /** `max` is Infinity without an upper limit. Greediness changes no answer, so it is left out. */
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly direction: LookDirection; readonly negated: boolean };

/** Computes a value from the values of the operands. Each operand is complete before the next begins. */
export interface PatternReading<T> {
  characters(set: CharacterSet): T;
  empty(): T;
  assertion(assertion: Assertion): T;
  backReference(group: number): T;
  concatenate(parts: readonly T[]): T;
  alternate(branches: readonly T[]): T;
  group(capture: number | undefined, body: T): T;
  repeat(min: number, max: number, body: T): T;
  look(direction: LookDirection, negated: boolean, body: T): T;
}

export function readPattern<T>(items: readonly PatternItem[], reading: PatternReading<T>): T {
  const operands: T[] = [];
  for (const item of items) operands.push(readItem(item, operands, reading));
  return popOperand(operands);
}

function readItem<T>(item: PatternItem, operands: T[], reading: PatternReading<T>): T {
  switch (item.kind) {
    case 'characters':
      return reading.characters(item.set);
    case 'empty':
      return reading.empty();
    case 'assertion':
      return reading.assertion(item.assertion);
    case 'back-reference':
      return reading.backReference(item.group);
    case 'concatenate':
      return reading.concatenate(operands.splice(operands.length - item.count));
    case 'alternate':
      return reading.alternate(operands.splice(operands.length - item.count));
    case 'group':
      return reading.group(item.capture, popOperand(operands));
    case 'repeat':
      return reading.repeat(item.min, item.max, popOperand(operands));
    case 'look':
      return reading.look(item.direction, item.negated, popOperand(operands));
    default:
      return assertNever(item);
  }
}

function popOperand<T>(operands: T[]): T {
  if (operands.length === 0) throw new Error('a pattern operation has no operand');
  return operands.pop() as T;
}

export type FaultyConstruct = keyof typeof REASONS;

/** PostgreSQL's words after `invalid regular expression: ` (error 2201B). */
const REASONS = {
  'back-reference': 'invalid backreference number',
  braces: 'braces {} not balanced',
  brackets: 'brackets [] not balanced',
  'character class': 'invalid character class',
  'character range': 'invalid character range',
  'collating element': 'invalid collating element',
  'embedded option': 'invalid embedded option',
  escape: 'invalid escape \\ sequence',
  parentheses: 'parentheses () not balanced',
  prefix: 'invalid regexp (reg version 0.8)',
  quantifier: 'quantifier operand invalid',
  'repetition count': 'invalid repetition count(s)',
} as const;

export function invalidPattern(construct: FaultyConstruct): PatternRefusal {
  return { kind: 'invalid', construct, message: REASONS[construct] };
}

export function untranslatablePattern(construct: string, message: string): PatternRefusal {
  return { kind: 'untranslatable', construct, message };
}
