/**
 * Brings a search text into the forms in which `schema/search.ts` stores titles. All are parameters, so no
 * part of the text becomes SQL.
 */
import { likePattern } from '#adapters/postgres/reads/sql/literal.ts';
import { LETTER_OR_DIGIT } from '#domain/search/search-hit.ts';
import { foldCase } from '#domain/text/fold-case.ts';

/** A window is a run of this many characters, as in `search_windows` of `schema/search-blocks.ts`. */
const WINDOW_LENGTH = 3;

/** More windows take time and hardly narrow the search. */
const MAX_WINDOWS = 6;

const WINDOW_END = '\u001d';

/** Characters up to this one are control characters. Blocks have no windows around them. */
const LAST_CONTROL = '\u001f';

type Characters = readonly string[];

interface SearchWindow {
  readonly text: string;
  /** Whether stored windows that begin with `text` match too. */
  readonly isBeginning: boolean;
}

/**
 * Pieces of the text that every block with a match contains. The rarest kinds come first: around joints
 * (punctuation or spaces), with digits, across two words, then others.
 */
function searchWindows(characters: Characters): readonly SearchWindow[] {
  const joints = jointsOf(characters).slice(0, MAX_WINDOWS);
  const windows = windowsOf(characters).filter((window) => !joints.some(({ text }) => text.includes(window)));
  const chosen = new Set<string>();
  for (const isWanted of [isNumbered, isMeeting, () => true]) {
    const wanted = windows.filter((window) => isWanted(window) && !chosen.has(window));
    for (const window of spread(wanted, MAX_WINDOWS - joints.length - chosen.size)) chosen.add(window);
  }
  return [...joints, ...Array.from(chosen, (text) => ({ text, isBeginning: false }))];
}

/** A text of fewer than three characters is itself a window. */
function windowsOf(characters: Characters): readonly string[] {
  const windows = new Set<string>();
  for (let at = 0; at === 0 || at + WINDOW_LENGTH <= characters.length; at++) {
    const window = characters.slice(at, at + WINDOW_LENGTH);
    if (!window.includes(WINDOW_END)) windows.add(window.join(''));
  }
  return [...windows];
}

/** A window around a joint has `BEFORE` characters before the joint and `FROM` characters from the joint on. */
const BEFORE = 2;
const FROM = 4;

/**
 * In a title, the text's last word may continue. It gets a window only if it has this many characters, joint included.
 */
const ENOUGH = 2;

/** In characters, joint included. A window contains the whole of a word up to this length. */
const SHORT = 4;

/**
 * Windows around joints. The text's first and last words may be parts of longer words in a title, so their
 * windows may be incomplete. A window inside another one is left out.
 */
function jointsOf(characters: Characters): readonly SearchWindow[] {
  const words = wordsOf(characters);
  const joints = new Map<string, SearchWindow>();
  for (const [i, next] of words.entries()) {
    const isBeginning = i === words.length - 1 && next.length < FROM;
    const before = beforeBoth(words, i) ?? endOf(words, i - 1);
    if (before === null || (isBeginning && next.length < ENOUGH)) continue;
    const joint = [...before, ...next.slice(0, FROM)];
    const text = joint.join('');
    if (joint.length > WINDOW_LENGTH && joint.every((character) => character > LAST_CONTROL)) {
      joints.set(text, { text, isBeginning });
    }
  }
  return [...joints.values()].filter(
    ({ text }) => ![...joints.keys()].some((other) => other !== text && other.includes(text)),
  );
}

/**
 * Returns the word before joint `i`, preceded by the end of the previous word. Null if the word is not short
 * or that end is incomplete.
 */
function beforeBoth(words: readonly Characters[], i: number): Characters | null {
  const short = words[i - 1];
  const before = endOf(words, i - 2);
  return short === undefined || short.length > SHORT || before === null ? null : [...before, ...short];
}

/**
 * The word's last characters. Null if there is no such word, or if the text may begin inside the word and has
 * too few of its characters.
 */
function endOf(words: readonly Characters[], i: number): Characters | null {
  const word = words[i];
  return word !== undefined && (i > 0 || word.length >= BEFORE) ? word.slice(-BEFORE) : null;
}

function wordsOf(characters: Characters): readonly Characters[] {
  const words: string[][] = [];
  for (const character of characters) {
    const word = words.at(-1);
    if (word === undefined || isJoint(character)) words.push([character]);
    else word.push(character);
  }
  return words;
}

/** Only ASCII counts, so the database's version of Unicode does not matter. */
function isJoint(character: string): boolean {
  return character <= LAST_OF_ASCII && !/[0-9A-Za-z]/.test(character);
}

const LAST_OF_ASCII = '\u007f';

function isNumbered(window: string): boolean {
  return /[0-9]/.test(window);
}

function isMeeting(window: string): boolean {
  const [first = '', middle = '', last = ''] = window;
  return LETTER_OR_DIGIT.test(first) && !LETTER_OR_DIGIT.test(middle) && LETTER_OR_DIGIT.test(last);
}

function spread(windows: readonly string[], most: number): readonly string[] {
  const step = Math.max(1, windows.length / most);
  return windows.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step)).slice(0, most);
}

export interface SearchTerms {
  readonly folded: string;
  /** The LIKE pattern that finds the text anywhere. */
  readonly pattern: string;
  /** The exclusive upper bound of titles that begin with the text. */
  readonly afterPrefix: string;
  /** A tsquery that every block with the text matches. Empty if the text has no windows. */
  readonly windows: string;
  /** A tsquery that matches every block with a title in which a later word begins with the text. */
  readonly wordWindows: string;
  /** The LIKE pattern for marked titles (`words`) in which a later word begins with the text. */
  readonly wordPattern: string;
  /** Whether the text could match across two texts of a row. */
  readonly mayCrossTexts: boolean;
}

export function searchValues(terms: SearchTerms): readonly string[] {
  return [
    terms.folded,
    terms.pattern,
    terms.afterPrefix,
    terms.windows,
    terms.wordWindows,
    terms.wordPattern,
  ];
}

const WORD_MARK = '\u001e';
const TEXT_END = '\u001f';

/** In characters. Longer titles are marked `is_odd`. */
const LONGEST_TITLE = 2_500;

export function searchTerms(text: string): SearchTerms {
  const folded = foldCase(text);
  const characters = [...folded];
  const windows = searchWindows(characters).map(
    ({ text: window, isBeginning }) => windowQuery(window) + (isBeginning ? ':*' : ''),
  );
  const marked = mark(characters);
  return {
    folded,
    pattern: likePattern(folded, 'anywhere'),
    afterPrefix: afterPrefix(characters),
    windows: windows.join(' & '),
    wordWindows: [windowQuery(WORD_MARK + wordOf(marked)), ...windows].join(' & '),
    wordPattern: likePattern(WORD_MARK + marked, 'anywhere'),
    mayCrossTexts: folded.includes(TEXT_END),
  };
}

function mark(characters: readonly string[]): string {
  return characters
    .map((character) => (LETTER_OR_DIGIT.test(character) ? character : character + WORD_MARK))
    .join('');
}

/** The part of the first word that windows contain. */
function wordOf(marked: string): string {
  const [first = ''] = marked.split(WORD_MARK, 1);
  const characters = [...first].slice(0, WINDOW_LENGTH);
  return characters.includes(WINDOW_END) ? '' : characters.join('');
}

function windowQuery(window: string): string {
  return `'${window.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** The first text in code point order after all that begin with these characters. */
function afterPrefix(characters: readonly string[]): string {
  for (let length = characters.length; length > 0; length--) {
    const code = characters[length - 1]?.codePointAt(0) ?? LAST_CODE_POINT;
    if (code === LAST_CODE_POINT) continue;
    // Surrogates are not characters, so they are skipped.
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    return characters.slice(0, length - 1).join('') + String.fromCodePoint(next);
  }
  return String.fromCodePoint(LAST_CODE_POINT).repeat(LONGEST_TITLE);
}

const LAST_CODE_POINT = 0x10ffff;
