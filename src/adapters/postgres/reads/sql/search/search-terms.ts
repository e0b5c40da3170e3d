/**
 * The searched text in the forms that the search tables are queried with; the migration of 2026-11-21 makes the
 * other side of each. All of them are parameters: no part of a text becomes SQL.
 */

import { likePattern } from '#adapters/postgres/reads/sql/literal.ts';
import { LETTER_OR_DIGIT } from '#domain/search/match-tier.ts';
import { foldCase } from '#domain/text/fold-case.ts';

export interface SearchTerms {
  readonly folded: string;
  /** Finds it anywhere in a text. */
  readonly pattern: string;
  /** Greater than every title that begins with it, and no greater than any other that comes after it. */
  readonly afterPrefix: string;
  /** A text query that every row with the text meets by its windows; empty if the text has no windows to ask for. */
  readonly windows: string;
  /** The same for rows that have it outside of the title's head. */
  readonly tailWindows: string;
  /** The same for sampled rows. */
  readonly sampleWindows: string;
  /** Finds it in a title with marks, at the beginning of a word that is not the first. */
  readonly wordPattern: string;
  readonly wordWindows: string;
  readonly tailWordWindows: string;
  readonly sampleWordWindows: string;
  /** The text as it stands in a title with marks. */
  readonly marked: string;
  /** Each way to split it in two: the first part, with marks, which may end a head, and the rest. */
  readonly markedStarts: readonly string[];
  readonly rests: readonly string[];
  /** Whether it could match across the end of one text and the beginning of the next. */
  readonly mayCrossTexts: boolean;
}

/** Which of the two statements of a search. */
export type SearchStep = 'first look' | 'in turn';

/** The values of the parameters, `$1` and up; at the first look there are seven. */
export function searchValues(terms: SearchTerms, step: SearchStep): readonly unknown[] {
  const common = [
    terms.folded,
    terms.pattern,
    terms.afterPrefix,
    terms.windows,
    terms.sampleWindows,
    terms.wordPattern,
    terms.mayCrossTexts,
  ];
  if (step === 'first look') return common;
  return [
    ...common,
    terms.wordWindows,
    terms.sampleWordWindows,
    terms.tailWindows,
    terms.tailWordWindows,
    terms.marked,
    terms.markedStarts,
    terms.rests,
  ];
}

const HEAD_MARK = '\u001c';
const WORD_MARK = '\u001e';
const TEXT_END = '\u001f';
const WINDOW_END = '\u001d';

const WINDOW = 3;

/** The longest title that is in order in an index has fewer characters. */
const LONGEST_TITLE = 2_500;

export function searchTerms(text: string): SearchTerms {
  const folded = foldCase(text);
  const characters = [...folded];
  const windows = windowsOf(characters);
  const isShort = characters.length < WINDOW;
  const marked = mark(characters);
  const word = WORD_MARK + wordOf(marked);
  const isShortWord = [...word].length <= WINDOW;
  const tailWordWindows = isShortWord
    ? [windowQuery(word, true)]
    : [windowQuery(word), ...windows.map((window) => windowQuery(window, isShort))];
  const wordWindows = isShortWord
    ? [anyWindowQuery(word, true)]
    : [anyWindowQuery(word), ...windows.map((window) => anyWindowQuery(window, isShort))];
  const splits = characters.slice(1).map((_, i) => i + 1);
  return {
    folded,
    pattern: likePattern(folded, 'anywhere'),
    afterPrefix: afterPrefix(characters),
    windows: windows.map((window) => anyWindowQuery(window, isShort)).join(' & '),
    tailWindows: windows.map((window) => windowQuery(window, isShort)).join(' & '),
    sampleWindows: windows.map((window) => windowQuery(window)).join(' & '),
    wordPattern: likePattern(WORD_MARK + marked, 'anywhere'),
    wordWindows: wordWindows.join(' & '),
    tailWordWindows: tailWordWindows.join(' & '),
    sampleWordWindows: windowQuery(word),
    marked,
    markedStarts: splits.map((at) => mark(characters.slice(0, at))),
    rests: splits.map((at) => characters.slice(at).join('')),
    mayCrossTexts: folded.includes(TEXT_END),
  };
}

/** The characters as they stand in a title with marks, whatever follows. */
function mark(characters: readonly string[]): string {
  return characters
    .map((character) => (LETTER_OR_DIGIT.test(character) ? character : character + WORD_MARK))
    .join('');
}

/** What the windows of a title hold of a word that begins so: its first characters up to the next mark. */
function wordOf(marked: string): string {
  const [first = ''] = marked.split(WORD_MARK, 1);
  const characters = [...first].slice(0, WINDOW);
  return characters.includes(WINDOW_END) ? '' : characters.join('');
}

/** More windows than this hardly narrow a search, and each takes time. */
const MAX_WINDOWS = 6;

/**
 * The windows that a text is found by; a short one is found by the windows that begin with it. Of many, some are
 * enough: those with digits, which few texts share, or else some from all over it.
 */
function windowsOf(characters: readonly string[]): readonly string[] {
  const windows = new Set<string>();
  for (let at = 0; at === 0 || at + WINDOW <= characters.length; at++) {
    const window = characters.slice(at, at + WINDOW);
    if (!window.includes(WINDOW_END)) windows.add(window.join(''));
  }
  if (windows.size <= MAX_WINDOWS) return [...windows];
  const numbered = [...windows].filter((window) => /[0-9]/.test(window));
  const preferred = numbered.length > 1 ? numbered : [...windows];
  const step = Math.max(1, preferred.length / MAX_WINDOWS);
  return preferred.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step)).slice(0, MAX_WINDOWS);
}

/** A text query for a window outside of heads, or for all that begin so. */
function windowQuery(window: string, isBeginning = false): string {
  const quoted = `'${window.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return isBeginning ? `${quoted}:*` : quoted;
}

/** The same for a window anywhere. */
function anyWindowQuery(window: string, isBeginning = false): string {
  return `(${windowQuery(window, isBeginning)} | ${windowQuery(HEAD_MARK + window, isBeginning)})`;
}

/** The next text in code point order that does not begin with this one. */
function afterPrefix(characters: readonly string[]): string {
  for (let length = characters.length; length > 0; length--) {
    const code = characters[length - 1]?.codePointAt(0) ?? LAST_CODE_POINT;
    if (code === LAST_CODE_POINT) continue;
    // Surrogates are no characters.
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    return characters.slice(0, length - 1).join('') + String.fromCodePoint(next);
  }
  return String.fromCodePoint(LAST_CODE_POINT).repeat(LONGEST_TITLE);
}

const LAST_CODE_POINT = 0x10ffff;
