/**
 * The same filter, smaller: groups of one and groups inside their like are dissolved, tests of one field are said
 * as one, and what is decided whatever the device is dropped. Every test is true or false and never unknown, so
 * each step keeps the meaning exactly.
 */
import type { Criterion, Group, GroupOperator, Node } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';
import { mergeCriteria } from './merge-criteria.ts';

/** A test, or a group of at least two members; AND of nothing is true, OR of nothing false. */
export function simplifyConditions(root: Node<Criterion>): Node<Criterion> {
  return finish(
    foldConditions<Criterion, Draft>(root, {
      condition: (condition) => condition,
      group: ({ operator }, members) => {
        const [only] = members;
        if (members.length === 1 && only !== undefined) return only;
        return { kind: 'draft', operator, parts: members.map((member) => toPart(operator, member)) };
      },
    }),
  );
}

/**
 * A group that may still grow: where its parent has the same operator, its parts become the parent's as they
 * are, so that a chain of n groups is not copied n times.
 */
interface DraftGroup {
  readonly kind: 'draft';
  readonly operator: GroupOperator;
  readonly parts: readonly Part[];
}

type Draft = Node<Criterion> | DraftGroup;
type Part = Node<Criterion> | readonly Part[];

function toPart(operator: GroupOperator, member: Draft): Part {
  if (member.kind !== 'draft') return member;
  return member.operator === operator ? member.parts : finish(member);
}

function finish(draft: Draft): Node<Criterion> {
  if (draft.kind !== 'draft') return draft.kind === 'condition' ? decide(draft) : draft;
  const { operator } = draft;
  const tests: Criterion[] = [];
  const groups: Group<Criterion>[] = [];
  const stack: Part[] = [draft.parts];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if (isParts(part)) for (let i = part.length - 1; i >= 0; i--) stack.push(part[i] ?? []);
    else if (part.kind === 'condition') tests.push(part);
    else groups.push(part);
  }
  const members: Node<Criterion>[] = [];
  for (const member of [...mergeCriteria(operator, tests).map(decide), ...groups]) {
    const decided = decidedValue(member);
    if (decided === null) members.push(member);
    else if (decided === (operator === 'OR')) return constant(decided);
  }
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { kind: 'group', operator, conditions: members };
}

function isParts(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}

/** A test that holds for every device or for none becomes a constant. */
function decide(test: Criterion): Node<Criterion> {
  const { predicate, isNegated } = test;
  switch (predicate.kind) {
    case 'textIn':
    case 'foldedTextIn':
    case 'numberIn':
    case 'elapsedDaysIn':
    case 'hasAny':
      return predicate.values.size === 0 ? constant(isNegated) : test;
    case 'hasAll':
    case 'hasAllFolded':
      return predicate.values.size === 0 ? constant(!isNegated) : test;
    case 'instantIn':
      return predicate.ranges.length === 0 ? constant(isNegated) : test;
    case 'present':
    case 'textLike':
    case 'pattern':
    case 'numberRange':
    case 'booleanIs':
    case 'withinLast':
    case 'elapsedDaysRange':
    case 'empty':
      return test;
  }
}

function constant(value: boolean): Group<Criterion> {
  return { kind: 'group', operator: value ? 'AND' : 'OR', conditions: [] };
}

function decidedValue(node: Node<Criterion>): boolean | null {
  return node.kind === 'group' && node.conditions.length === 0 ? node.operator === 'AND' : null;
}
