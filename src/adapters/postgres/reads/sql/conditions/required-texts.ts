/**
 * Finds literal text that every match of a regular expression contains. Checking for it first is several
 * times faster, and may use an index. Constructs that are not understood are skipped or end the search, so no
 * text is wrongly required.
 */

import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate, PredicateKind, TextPosition } from '#domain/filter/conditions/predicate.ts';

/** Every match has one of `texts` at `position`. */
interface RequiredTexts {
  readonly position: Extract<TextPosition, 'start' | 'anywhere'>;
  readonly texts: readonly string[];
  /** The longest further text that every match contains. */
  readonly other: string | null;
}

/** More alternatives are not worth checking one by one. */
const MAX_TEXTS = 8;

/** In UTF-16 code units. Single characters are too common. */
const MIN_LENGTH = 2;

/** `pattern` must be valid. Returns null if no text is required. */
export function requiredTexts(pattern: string): RequiredTexts | null {
  // Options at the beginning can change what everything after them means.
  if (pattern.startsWith('***') || pattern.startsWith('(?')) return null;
  const isAnchored = pattern.startsWith('^');
  let rest = isAnchored ? pattern.slice(1) : pattern;
  const runs: Run[] = [{ texts: [''], isAtStart: isAnchored }];
  while (rest !== '') {
    const item = nextItem(rest);
    if (item === null) break;
    rest = rest.slice(item.length);
    const quantifier = QUANTIFIER.exec(rest)?.[0] ?? '';
    rest = rest.slice(quantifier.length);
    const run = runs.at(-1) as Run;
    const isThere = quantifier === '' || quantifier.startsWith('+');
    const longer = item.texts === null || !isThere ? null : product(run.texts, item.texts);
    if (longer !== null) runs[runs.length - 1] = { ...run, texts: longer };
    // The next item need not follow this text directly, so a new run begins.
    if (longer === null || quantifier !== '') runs.push({ texts: [''], isAtStart: false });
  }
  // A `|` in the unread rest could be an alternative to everything before it.
  if (rest.includes('|')) return null;
  const [first] = runs;
  const isAtStart = first?.isAtStart === true && lengthOf(first) >= MIN_LENGTH;
  const main = isAtStart ? first : longestOf(runs);
  if (lengthOf(main) < MIN_LENGTH) return null;
  const others = runs.filter((run) => run !== main && run.texts.length === 1);
  const other = others.length === 0 ? '' : (longestOf(others).texts[0] ?? '');
  return {
    position: isAtStart ? 'start' : 'anywhere',
    texts: main.texts,
    other: other.length >= MIN_LENGTH ? other : null,
  };
}

/** Consecutive literal items, as all texts that they form: `a(b|c)` forms `ab` and `ac`. */
interface Run {
  readonly texts: readonly string[];
  readonly isAtStart: boolean;
}

function longestOf(runs: readonly Run[]): Run {
  return runs.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a));
}

function lengthOf({ texts }: Run): number {
  return Math.min(...texts.map((text) => text.length));
}

function product(before: readonly string[], after: readonly string[]): readonly string[] | null {
  if (before.length * after.length > MAX_TEXTS) return null;
  return before.flatMap((first) => after.map((second) => first + second));
}

interface Item {
  readonly length: number;
  readonly texts: readonly string[] | null;
}

const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
/** A character that has no special meaning anywhere in a pattern. */
const LITERAL = /^[^\\^$.[\]|()?*+{}]/u;
const ESCAPED_SIGN = /^\\([^\p{L}\p{N}\s_])/u;
const LITERAL_ALTERNATIVES = /^\((?:\?:)?([^\\^$.[\]()?*+{}]+)\)/u;
/** One unknown character: `.`, a class such as `\d`, or simple brackets such as `[a-z]`. */
const ONE_CHARACTER = /^(?:\.|\\[dswDSW]|\[\^?[^\\[\]^]+\])/u;

function nextItem(pattern: string): Item | null {
  const literal = LITERAL.exec(pattern)?.[0];
  if (literal !== undefined) return { length: literal.length, texts: [literal] };
  const sign = ESCAPED_SIGN.exec(pattern);
  if (sign !== null) return { length: sign[0].length, texts: [sign[1] ?? ''] };
  const alternatives = LITERAL_ALTERNATIVES.exec(pattern);
  if (alternatives !== null) {
    return { length: alternatives[0].length, texts: (alternatives[1] ?? '').split('|') };
  }
  const character = ONE_CHARACTER.exec(pattern)?.[0];
  return character === undefined ? null : { length: character.length, texts: null };
}

export const SHORTEST_INDEXED_TEXT = 3;

/**
 * Guesses from a filter's form whether it matches few devices. If the reader cannot bypass row-level
 * security, the planner has no statistics for LIKE, `~`, `&&`, `@>` and comparisons of enumerations.
 */
export function looksSelective(root: Node<Criterion>, shortestText = MIN_LENGTH): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: ({ field, predicate, isNegated }) =>
      !isNegated && field.type !== 'enum' && !field.isUuid && asksForSomethingRare(predicate, shortestText),
    group: ({ operator }, members) =>
      operator === 'AND' ? members.some(Boolean) : members.length > 0 && members.every(Boolean),
  });
}

/** Whether every match has a flag or status that the filter names. Most flags and statuses have an index. */
export function namesFlagOrStatus(root: Node<Criterion>): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: ({ field, predicate, isNegated }) =>
      !isNegated && (predicate.kind === 'booleanIs' ? predicate.value : field.key === 'status'),
    group: ({ operator }, members) =>
      operator === 'AND' ? members.some(Boolean) : members.length > 0 && members.every(Boolean),
  });
}

/** Guesses whether the matches are few and an index finds them. */
export function looksIndexed(root: Node<Criterion>): boolean {
  return looksSelective(root, SHORTEST_INDEXED_TEXT);
}

function asksForSomethingRare(predicate: Predicate, shortestText: number): boolean {
  if (predicate.kind === 'textLike') return predicate.folded.length >= shortestText;
  return NAMES_ITS_VALUES[predicate.kind];
}

/** A named text, tag or title selects few devices; a range or a flag selects many. */
const NAMES_ITS_VALUES: Readonly<Record<Exclude<PredicateKind, 'textLike'>, boolean>> = {
  textIn: true,
  foldedTextIn: true,
  pattern: true,
  numberIn: true,
  hasAny: true,
  hasAll: true,
  hasAllFolded: true,
  present: false,
  numberRange: false,
  versionRange: false,
  booleanIs: false,
  instantIn: false,
  withinLast: false,
  elapsedDaysIn: false,
  elapsedDaysRange: false,
  empty: false,
  matchesAny: false,
};
