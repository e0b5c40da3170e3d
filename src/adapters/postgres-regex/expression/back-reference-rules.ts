/**
 * Refuses patterns with back-references that JavaScript would answer differently or too slowly. The engines
 * differ in two ways:
 * - PostgreSQL tries all ways to divide the text among the parts of a sequence, but keeps the first way
 *   inside each part. JavaScript tries all ways inside each part, too.
 * - A reference to a group that has not matched fails in PostgreSQL, but matches the empty text in
 *   JavaScript.
 *
 * Apart from empty matches, both agree if a group is a direct, unrepeated part of a sequence and only later
 * parts of that sequence refer to it.
 */
import {
  type Assertion,
  type PatternItem,
  type PatternReading,
  readPattern,
  untranslatablePattern,
} from '#adapters/postgres-regex/pattern-item.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';

export function findReferencedGroups(items: readonly PatternItem[]): ReadonlySet<number> {
  const groups = new Set<number>();
  for (const item of items) if (item.kind === 'back-reference') groups.add(item.group);
  return groups;
}

/** Undefined if a JavaScript expression gives PostgreSQL's answers in affordable time. */
export function refuseBackReferences(
  items: readonly PatternItem[],
  ignoreCase: boolean,
): PatternRefusal | undefined {
  if (ignoreCase)
    return refuse('back-references in a pattern that ignores case cannot be evaluated in process');
  const referenced = findReferencedGroups(items);
  const scope = readPattern(items, new ScopeReading(referenced));
  // After a failed match, PostgreSQL, unlike JavaScript, does not try an empty match at the end of the text.
  const missesEnd = scope.canBeEmpty && !scope.isAnchored;
  if (scope.isInexact || scope.pending.size > 0 || missesEnd) {
    return refuse(
      'back-references to a group that is repeated, optional or inside another part cannot be evaluated in process',
    );
  }
  const { degree, ways } = readPattern(items, EFFORT);
  // A match can begin at every character unless the pattern is anchored.
  const tries = ways * SAMPLE_LENGTH ** (scope.isAnchored ? degree : degree + 1);
  if (tries > MAX_TRIES) {
    return refuse(
      'back-references combined with this many repetitions and choices cannot be evaluated in process in reasonable time',
    );
  }
  return undefined;
}

function refuse(message: string): PatternRefusal {
  return untranslatablePattern('back-reference', message);
}

interface Scope {
  readonly captures: ReadonlySet<number>;
  readonly wholeGroup: number | undefined;
  /** Groups that the part refers to and that have not been captured yet. */
  readonly pending: ReadonlySet<number>;
  readonly canBeEmpty: boolean;
  readonly isAnchored: boolean;
  readonly isInexact: boolean;
}

const NO_SCOPE: Scope = {
  captures: new Set(),
  wholeGroup: undefined,
  pending: new Set(),
  canBeEmpty: true,
  isAnchored: false,
  isInexact: false,
};

class ScopeReading implements PatternReading<Scope> {
  readonly #referenced: ReadonlySet<number>;
  readonly #canBeEmpty = new Map<number, boolean>();

  constructor(referenced: ReadonlySet<number>) {
    this.#referenced = referenced;
  }

  characters(): Scope {
    return { ...NO_SCOPE, canBeEmpty: false };
  }

  empty(): Scope {
    return NO_SCOPE;
  }

  assertion(assertion: Assertion): Scope {
    return { ...NO_SCOPE, isAnchored: assertion === 'text-start' };
  }

  backReference(group: number): Scope {
    // A group comes before its references, so whether it can be empty is already known.
    return { ...NO_SCOPE, pending: new Set([group]), canBeEmpty: this.#canBeEmpty.get(group) ?? true };
  }

  concatenate(parts: readonly Scope[]): Scope {
    const captures = new Set<number>();
    const standing = new Set<number>();
    const pending = new Set<number>();
    let canBeEmpty = true;
    let isAnchored = false;
    let isInexact = false;
    for (const part of parts) {
      for (const group of part.pending) {
        if (!captures.has(group)) pending.add(group);
        else if (!standing.has(group)) isInexact = true;
      }
      for (const group of part.captures) captures.add(group);
      if (part.wholeGroup !== undefined) standing.add(part.wholeGroup);
      canBeEmpty &&= part.canBeEmpty;
      isAnchored ||= part.isAnchored;
      isInexact ||= part.isInexact;
    }
    return { captures, wholeGroup: undefined, pending, canBeEmpty, isAnchored, isInexact };
  }

  alternate(branches: readonly Scope[]): Scope {
    return branches.reduce((left, right) => ({
      captures: new Set([...left.captures, ...right.captures]),
      wholeGroup: undefined,
      pending: new Set([...left.pending, ...right.pending]),
      canBeEmpty: left.canBeEmpty || right.canBeEmpty,
      isAnchored: left.isAnchored && right.isAnchored,
      isInexact: left.isInexact || right.isInexact,
    }));
  }

  group(capture: number | undefined, body: Scope): Scope {
    if (capture === undefined || !this.#referenced.has(capture)) return body;
    this.#canBeEmpty.set(capture, body.canBeEmpty);
    return { ...body, captures: new Set([...body.captures, capture]), wholeGroup: capture };
  }

  repeat(min: number, _max: number, body: Scope): Scope {
    // PostgreSQL ignores an empty last repetition, even if `min` requires it.
    const missesEmpty = min > 1 && body.canBeEmpty && body.captures.size + body.pending.size > 0;
    return {
      ...body,
      wholeGroup: undefined,
      canBeEmpty: min === 0 || body.canBeEmpty,
      isAnchored: min > 0 && body.isAnchored,
      isInexact: body.isInexact || missesEmpty,
    };
  }

  look(): Scope {
    return NO_SCOPE;
  }
}

/** In characters. */
const SAMPLE_LENGTH = 100;

/**
 * The maximum number of tries in a text of `SAMPLE_LENGTH`, which take about ten milliseconds. As 100^4 would exceed
 * it, the number of tries grows at most with the cube of the text's length.
 */
const MAX_TRIES = 1_000_000;

/** The number of tries is `ways` times the text length to the power of `degree`. */
interface Effort {
  readonly degree: number;
  readonly ways: number;
}

const SINGLE_WAY: Effort = { degree: 0, ways: 1 };

/** Repeating a part that can match in several ways takes exponential time. */
const UNAFFORDABLE: Effort = { degree: Number.POSITIVE_INFINITY, ways: Number.POSITIVE_INFINITY };

const EFFORT: PatternReading<Effort> = {
  characters: () => SINGLE_WAY,
  empty: () => SINGLE_WAY,
  assertion: () => SINGLE_WAY,
  backReference: () => SINGLE_WAY,
  concatenate: (parts) =>
    parts.reduce((left, right) => ({ degree: left.degree + right.degree, ways: left.ways * right.ways })),
  alternate: (branches) =>
    branches.reduce((left, right) => ({
      degree: Math.max(left.degree, right.degree),
      ways: left.ways + right.ways,
    })),
  group: (_capture, body) => body,
  repeat: repeatEffort,
  look: (_direction, _negated, body) => body,
};

function repeatEffort(min: number, max: number, body: Effort): Effort {
  if (max === 1) return { degree: body.degree, ways: body.ways + 1 };
  if (body.degree > 0 || body.ways > 1) return UNAFFORDABLE;
  return min === max ? SINGLE_WAY : { degree: 1, ways: 1 };
}
