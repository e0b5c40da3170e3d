/**
 * Dissolves groups with one member or with their parent's operator, merges criteria on one field, and drops constants.
 * Criteria are true or false, never NULL, so every step keeps the meaning. Groups stay drafts until the end, because
 * their parents can still absorb them. The larger group absorbs the smaller, so a chain of n groups takes O(n log n).
 */
import type { Criterion, Group, GroupOperator, Node } from './condition.ts';
import { expandInner } from './expand-inner.ts';
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
 * Returns a criterion, or a group whose criteria come before its subgroups. A group has at least two members,
 * or none: an empty AND is true, an empty OR false. Inner filters are expanded within limits (`expandInner`).
 * Simplifying twice changes nothing.
 */
export function simplifyConditions(root: Node<Criterion>): Node<Criterion> {
  let position = 0;
  return finish(
    foldConditions<Criterion, Draft>(expandInner(root), {
      condition: (criterion) => constantValue(criterion) ?? draftCriterion(criterion, position++),
      group: ({ operator }, members) => draftGroup(operator, position++, members),
    }),
  );
}

/** A boolean is the answer for every device. */
type Draft = boolean | CriterionDraft | GroupDraft;

interface GroupDraft {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly position: number;
  readonly members: Members;
}

interface Members {
  readonly mergeable: Map<string, CriterionDraft>;
  readonly others: CriterionDraft[];
  readonly groups: GroupDraft[];
  isContradiction: boolean;
}

function draftGroup(operator: GroupOperator, position: number, drafts: readonly Draft[]): Draft {
  // A true member decides an OR, a false one an AND.
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

function constantValue({ predicate, isNegated }: Criterion): boolean | null {
  const ofNothing = VALUE_OF_NOTHING[predicate.kind];
  if (ofNothing === null) return null;
  const namesNothing =
    ('values' in predicate && predicate.values.size === 0) ||
    ('ranges' in predicate && predicate.ranges.length === 0);
  return namesNothing ? ofNothing !== isNegated : null;
}

/** The predicate's answer if its list is empty; null if it has no list. */
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
  versionRange: null,
  booleanIs: null,
  withinLast: null,
  elapsedDaysRange: null,
  empty: null,
  matchesAny: null,
};

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
