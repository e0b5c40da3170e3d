/** A term of a filter text once it is understood: what to check, and what it and its opposite stand for. */
import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import type { Place } from '#domain/filter/text/text-fault.ts';
import type { ScannedValue, ScannedWord } from './scanned-value.ts';

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
