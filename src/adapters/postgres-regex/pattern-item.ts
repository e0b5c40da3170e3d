/**
 * The abstract syntax of a pattern, in postfix order: operands come before what is done to them. Every
 * reading of it is one loop with a stack of its own, so no depth of nesting can exhaust the call stack.
 */
import { assertNever } from '#domain/assert-never.ts';
import type { CharacterSet } from './characters/character-set.ts';

/** What can be asked of a place between two characters, without looking further. */
export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-start'
  | 'word-end'
  | 'word-boundary'
  | 'not-word-boundary';

/** Where a lookaround looks from its place. */
export type LookDirection = 'ahead' | 'behind';

/** One operand or one operation; `concatenate` and `alternate` take their last `count` operands. */
export type PatternItem =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'empty' }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'back-reference'; readonly group: number }
  | { readonly kind: 'concatenate'; readonly count: number }
  | { readonly kind: 'alternate'; readonly count: number }
  /** Parentheses; `capture` is their number where they capture. */
  | { readonly kind: 'group'; readonly capture: number | undefined }
  /** `max` is Infinity where there is no upper limit, and 0 for `{0}`; how greedy it is changes no answer. */
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly direction: LookDirection; readonly negated: boolean };

/** What a reading makes of each item. Operands are made in order, each whole before the next begins. */
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

/** Reads a whole pattern; linear in its items. */
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
