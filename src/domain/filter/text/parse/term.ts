/** A term of a filter text once it is understood: what to check, and what it and its opposite stand for. */

import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { combine } from '#domain/filter/text/print/negate-leaf.ts';
import type { Place } from '#domain/filter/text/text-fault.ts';
import type { Sign } from '#domain/filter/text/text-keys.ts';

/** A condition to check, and where in the text a member of it (`value`, `value[2]`, `value.from`) comes from. */
export interface PlacedLeaf {
  readonly leaf: LeafJson;
  readonly placeOf: (member: string) => Place;
}

export interface Term {
  /** What has to be valid for the term to be. */
  readonly checked: readonly PlacedLeaf[];
  readonly whenTrue: () => NodeJson;
  /** Null where no conditions say the opposite. */
  readonly whenFalse: () => NodeJson | null;
}

/** The first word of a value, which has one. */
export function onlyWord({ words }: ScannedValue): ScannedWord {
  const [word] = words;
  if (word === undefined) throw new Error('a value without a word');
  return word;
}

// A value of a filter text in its parts, before anything is known of what they mean.

export interface ScannedWord extends Place {
  /** Without quotes, escapes and stars. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface ScannedValue extends Place {
  readonly sign: Sign | '';
  /** `words` are one, or several with commas between; `pattern` is one word. */
  readonly form: 'words' | 'brackets' | 'pattern';
  readonly words: readonly ScannedWord[];
  readonly star: 'none' | 'before' | 'after';
}

// A group of a filter text while it is read, with De Morgan's laws where it is negated.

/** A group that is open, or the whole text. */
export interface OpenGroup {
  /** Where its parenthesis stands. */
  readonly start: number;
  /** Whether its members are negated, counting every negation around it. */
  readonly isNegated: boolean;
  /** The alternatives that are complete. */
  readonly alternatives: NodeJson[];
  /** The members of the alternative that is being read. */
  members: NodeJson[];
  /** The last AND or OR, until a term follows it. */
  operator: Place | null;
  /** The last `-` or NOT, until a term follows it. */
  negation: Place | null;
  /** Whether an odd number of them precedes the next term. */
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

/** Ends the alternative that is being read, at OR or at the end of the group. */
export function endAlternative(group: OpenGroup): void {
  if (group.members.length > 0)
    group.alternatives.push(combine(group.isNegated ? 'OR' : 'AND', group.members));
  group.members = [];
}

/** What the group stands for, with all that it holds. */
export function closeGroup(group: OpenGroup): NodeJson {
  endAlternative(group);
  return combine(group.isNegated ? 'AND' : 'OR', group.alternatives);
}
