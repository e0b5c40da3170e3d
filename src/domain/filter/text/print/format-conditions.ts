/**
 * Prints text that `parseFilterText` reads back as conditions that match the same devices (Contract: §11). Groups with
 * one member or with their parent's operator are dissolved first, so printing the parsed text gives the same text.
 */
import type { Condition, ConditionGroup, GroupOperator } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { BARE_FIELDS } from '#domain/filter/text/parse/read-term.ts';
import { joinPieces, type Pieces } from '#domain/text/pieces.ts';
import { printComparison, printCondition, quoteWhereNeeded, textOf } from './print-condition.ts';

/** On one line, except for line breaks inside values. */
export function formatConditions(root: ConditionGroup): string {
  const draft = foldConditions<Condition, Draft>(root, {
    condition: (condition) => ({ kind: 'atom', text: printCondition(condition), condition }),
    group: ({ operator }, members) => {
      const [only] = members;
      if (members.length === 1 && only !== undefined) return only;
      return abbreviate(operator, {
        kind: 'open',
        operator,
        size: members.reduce((size, member) => size + sizeWithin(operator, member), 0),
        parts: members.map((member) => toPart(operator, member)),
      });
    },
  });
  return joinPieces(draft.kind === 'atom' ? draft.text : separated(draft));
}

/** Text that needs no parentheses anywhere. */
interface Atom {
  readonly kind: 'atom';
  readonly text: Pieces;
  readonly condition: Condition | null;
}

/** A group of at least two parts, which dissolves in a parent with the same operator. */
interface OpenGroup {
  readonly kind: 'open';
  readonly operator: GroupOperator;
  readonly size: number;
  readonly parts: readonly Part[];
}

type Draft = Atom | OpenGroup;
type Part = Atom | readonly Part[];

function sizeWithin(operator: GroupOperator, draft: Draft): number {
  return draft.kind === 'open' && draft.operator === operator ? draft.size : 1;
}

function toPart(operator: GroupOperator, draft: Draft): Part {
  if (draft.kind === 'atom') return draft;
  return draft.operator === operator
    ? draft.parts
    : { kind: 'atom', text: ['(', separated(draft), ')'], condition: null };
}

function separated({ operator, parts }: OpenGroup): Pieces {
  const separator = operator === 'AND' ? ' ' : ' OR ';
  return flatten(parts).flatMap(({ text }, i) => (i === 0 ? [text] : [separator, text]));
}

function flatten(parts: readonly Part[]): readonly Atom[] {
  const atoms: Atom[] = [];
  const stack: Part[] = [parts];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if ('kind' in part) atoms.push(part);
    else for (let i = part.length - 1; i >= 0; i--) stack.push(part[i] ?? []);
  }
  return atoms;
}

function abbreviate(operator: GroupOperator, group: OpenGroup): Draft {
  if (group.size > BARE_FIELDS.length) return group;
  const conditions: Condition[] = [];
  for (const { condition } of flatten(group.parts)) {
    if (condition === null) return group;
    conditions.push(condition);
  }
  const text = printBare(operator, conditions) ?? printDateBound(operator, conditions);
  return text === null ? group : { kind: 'atom', text, condition: null };
}

/** `chrome` or `-chrome`, if the conditions are those of a value without a key. */
function printBare(operator: GroupOperator, conditions: readonly Condition[]): string | null {
  const isNegative = operator === 'AND';
  const looksFor = isNegative ? 'notContains' : 'contains';
  const [first] = conditions;
  if (first === undefined || conditions.length !== BARE_FIELDS.length || first.operator !== looksFor)
    return null;
  const text = textOf(first.value);
  const isBare = conditions.every(
    (condition, i) =>
      condition.field.key === BARE_FIELDS[i] &&
      condition.operator === looksFor &&
      textOf(condition.value) === text,
  );
  return isBare ? `${isNegative ? '-' : ''}${quoteWhereNeeded(text, 'bare')}` : null;
}

/** Prints the pair "after" OR "equals" as `seen:>=2026-02-10`; null for other conditions. */
function printDateBound(operator: GroupOperator, conditions: readonly Condition[]): string | null {
  const [beyond, on] = conditions;
  if (operator !== 'OR' || conditions.length !== 2 || beyond === undefined || on === undefined) return null;
  if (beyond.field.key !== on.field.key || beyond.value !== on.value || on.operator !== 'equals') return null;
  if (beyond.operator === 'after') return printComparison(on.field, '>=', on.value);
  return beyond.operator === 'before' ? printComparison(on.field, '<=', on.value) : null;
}
