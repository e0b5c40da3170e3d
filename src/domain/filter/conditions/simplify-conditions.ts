/**
 * The same filter, smaller: groups of one member and groups inside a group of the same operator are dissolved,
 * criteria on one field are merged, and whatever is the same for every device is dropped. A criterion is true or
 * false and never unknown, so each step keeps the meaning exactly.
 *
 * Only after its members have been simplified may a group turn out to have one member. So groups stay drafts, which
 * another can absorb, until the whole filter is known. The larger of two absorbs the smaller: a chain of n groups
 * takes time in proportion to n log n.
 */
import type { Criterion, Group, GroupOperator, Node } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';
import {
  type CriterionDraft,
  draftCriterion,
  finishCriterion,
  isContradiction,
  mergeDrafts,
  mergeKey,
} from './merge-criteria.ts';
import type { PredicateKind } from './predicate.ts';

/**
 * A criterion, or a group of at least two members, criteria before groups; AND of nothing is true, OR of nothing
 * false. Simplifying the outcome again changes nothing.
 */
export function simplifyConditions(root: Node<Criterion>): Node<Criterion> {
  let position = 0;
  return finish(
    foldConditions<Criterion, Draft>(root, {
      condition: (criterion) => constantValue(criterion) ?? draftCriterion(criterion, position++),
      group: ({ operator }, members) => draftGroup(operator, position++, members),
    }),
  );
}

/** A constant is the same for every device. */
type Draft = boolean | CriterionDraft | GroupDraft;

/** A group of at least two members, none of which is a group of the same operator. */
interface GroupDraft {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly position: number;
  readonly members: Members;
}

interface Members {
  /** By `mergeKey`. */
  readonly mergeable: Map<string, CriterionDraft>;
  readonly others: CriterionDraft[];
  readonly groups: GroupDraft[];
  /** Whether merged members contradict each other, which decides the group. */
  isContradiction: boolean;
}

function draftGroup(operator: GroupOperator, position: number, drafts: readonly Draft[]): Draft {
  // One member that is true decides OR, one that is false decides AND; the other constant changes nothing.
  const deciding = operator === 'OR';
  let members: Members = { mergeable: new Map(), others: [], groups: [], isContradiction: false };
  for (const draft of drafts) {
    if (draft === deciding) return deciding;
    if (typeof draft === 'boolean') continue;
    if (draft.kind === 'criterion') addCriterion(operator, members, draft);
    else if (draft.operator === operator) members = joinMembers(operator, members, draft.members);
    else members.groups.push(draft);
  }
  if (members.isContradiction) return deciding;
  if (countMembers(members) > 1) return { kind: 'group', operator, position, members };
  const [only] = [...members.mergeable.values(), ...members.others, ...members.groups];
  return only ?? !deciding;
}

function addCriterion(operator: GroupOperator, members: Members, draft: CriterionDraft): void {
  const key = mergeKey(operator, draft);
  if (key === null) members.others.push(draft);
  else merge(operator, members, key, draft);
}

function merge(operator: GroupOperator, members: Members, key: string, draft: CriterionDraft): void {
  const same = members.mergeable.get(key);
  const merged = same === undefined ? draft : mergeDrafts(operator, same, draft);
  members.mergeable.set(key, merged);
  members.isContradiction ||= isContradiction(merged);
}

/** The members of two groups of the same operator as those of one. */
function joinMembers(operator: GroupOperator, a: Members, b: Members): Members {
  const [larger, smaller] = countMembers(a) < countMembers(b) ? [b, a] : [a, b];
  for (const [key, draft] of smaller.mergeable) merge(operator, larger, key, draft);
  for (const draft of smaller.others) larger.others.push(draft);
  for (const draft of smaller.groups) larger.groups.push(draft);
  larger.isContradiction ||= smaller.isContradiction;
  return larger;
}

function countMembers({ mergeable, others, groups }: Members): number {
  return mergeable.size + others.length + groups.length;
}

/** The value of a criterion that is the same for every device, or null. */
function constantValue({ predicate, isNegated }: Criterion): boolean | null {
  const ofNothing = VALUE_OF_NOTHING[predicate.kind];
  if (ofNothing === null) return null;
  const namesNothing =
    ('values' in predicate && predicate.values.size === 0) ||
    ('ranges' in predicate && predicate.ranges.length === 0);
  return namesNothing ? ofNothing !== isNegated : null;
}

/** The value of a predicate that names nothing; null if it always names something. */
const VALUE_OF_NOTHING: Readonly<Record<PredicateKind, boolean | null>> = {
  textIn: false,
  foldedTextIn: false,
  numberIn: false,
  elapsedDaysIn: false,
  instantIn: false,
  hasAny: false,
  hasAll: true,
  hasAllFolded: true,
  present: null,
  textLike: null,
  pattern: null,
  numberRange: null,
  booleanIs: null,
  withinLast: null,
  elapsedDaysRange: null,
  empty: null,
};

/** The draft as a tree, with members in the order in which they stand in the filter. */
function finish(draft: Draft): Node<Criterion> {
  if (typeof draft === 'boolean') {
    return { kind: 'group', operator: draft ? 'AND' : 'OR', conditions: [] };
  }
  if (draft.kind === 'criterion') return finishCriterion(draft);
  const open: { readonly draft: GroupDraft; readonly conditions: Node<Criterion>[] }[] = [];
  const toGroup = (group: GroupDraft): Group<Criterion> => {
    const conditions: Node<Criterion>[] = [];
    open.push({ draft: group, conditions });
    return { kind: 'group', operator: group.operator, conditions };
  };
  const root = toGroup(draft);
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { mergeable, others, groups } = top.draft.members;
    for (const criterion of [...mergeable.values(), ...others].sort(byPosition)) {
      top.conditions.push(finishCriterion(criterion));
    }
    for (const group of groups.toSorted(byPosition)) top.conditions.push(toGroup(group));
  }
  return root;
}

function byPosition(a: { readonly position: number }, b: { readonly position: number }): number {
  return a.position - b.position;
}
