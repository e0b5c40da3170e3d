import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { combine } from '#domain/filter/text/print/negate-leaf.ts';
import type { Place } from '#domain/filter/text/text-fault.ts';
import type { Sign } from '#domain/filter/text/text-keys.ts';

/** A condition, and the places of its members (`value`, `value[2]`, `value.from`) in the text. */
export interface PlacedLeaf {
  readonly leaf: LeafJson;
  readonly placeOf: (member: string) => Place;
}

export interface Term {
  readonly checked: readonly PlacedLeaf[];
  readonly whenTrue: () => NodeJson;
  /** Null if no conditions express the opposite. */
  readonly whenFalse: () => NodeJson | null;
}

export function onlyWord({ words }: ScannedValue): ScannedWord {
  const [word] = words;
  if (word === undefined) throw new Error('a value without a word');
  return word;
}

export interface ScannedWord extends Place {
  /** Without quotes, escapes and stars. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface ScannedValue extends Place {
  readonly sign: Sign | '';
  /** `words`: separated by commas. `pattern`: one word. */
  readonly form: 'words' | 'brackets' | 'pattern';
  readonly words: readonly ScannedWord[];
  readonly star: 'none' | 'before' | 'after';
}

export interface OpenGroup {
  readonly start: number;
  /** Within an odd number of negations. */
  readonly isNegated: boolean;
  readonly alternatives: NodeJson[];
  members: NodeJson[];
  /** The AND or OR before the next term; null after a term. */
  operator: Place | null;
  /** The `-` or NOT before the next term; null after a term. */
  negation: Place | null;
  /** Whether an odd number of negations precedes the next term. */
  isNextNegated: boolean;
}

export function openGroup(start: number, isNegated: boolean): OpenGroup {
  return {
    start,
    isNegated,
    alternatives: [],
    members: [],
    operator: null,
    negation: null,
    isNextNegated: false,
  };
}

/** Called at each OR and at the end of the group. De Morgan: within a negation AND is OR, and OR is AND. */
export function endAlternative(group: OpenGroup): void {
  if (group.members.length > 0)
    group.alternatives.push(combine(group.isNegated ? 'OR' : 'AND', group.members));
  group.members = [];
}

export function closeGroup(group: OpenGroup): NodeJson {
  endAlternative(group);
  return combine(group.isNegated ? 'AND' : 'OR', group.alternatives);
}
