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
  /** `words` are separated by commas; `pattern` is one word. */
  readonly form: 'words' | 'brackets' | 'pattern';
  readonly words: readonly ScannedWord[];
  readonly star: 'none' | 'before' | 'after';
}

export interface OpenGroup {
  readonly start: number;
  /** Counts every negation around it. */
  readonly isNegated: boolean;
  readonly alternatives: NodeJson[];
  members: NodeJson[];
  /** The last AND or OR, until a term follows. */
  operator: Place | null;
  /** The last `-` or NOT, until a term follows. */
  negation: Place | null;
  /** After an odd number of negations. */
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

/** At OR, or at the end of the group. De Morgan: within a negation AND is OR, and OR is AND. */
export function endAlternative(group: OpenGroup): void {
  if (group.members.length > 0)
    group.alternatives.push(combine(group.isNegated ? 'OR' : 'AND', group.members));
  group.members = [];
}

export function closeGroup(group: OpenGroup): NodeJson {
  endAlternative(group);
  return combine(group.isNegated ? 'AND' : 'OR', group.alternatives);
}
