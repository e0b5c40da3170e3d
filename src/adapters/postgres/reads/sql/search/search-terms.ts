/**
 * The searched text in the forms that the search tables are queried with; `schema/search.ts` makes the
 * other side of each. All of them are parameters: no part of a text becomes SQL.
 */
import { likePattern } from '#adapters/postgres/reads/sql/literal.ts';
import { LETTER_OR_DIGIT } from '#domain/search/search-hit.ts';
import { foldCase } from '#domain/text/fold-case.ts';

/**
 * Which windows of a text are asked for: those that few blocks have (`search_windows` in
 * `schema/search-blocks.ts` makes the windows of blocks).
 */

const WINDOW_LENGTH = 3;

/** More windows than this hardly narrow a search, and each takes time. */
const MAX_WINDOWS = 6;

/** Between what is cut into windows: none has it. */
const WINDOW_END = '\u001d';

/** Up to here, characters are marks as well. Around joints of these there are no windows. */
const LAST_CONTROL = '\u001f';

type Characters = readonly string[];

interface SearchWindow {
  readonly text: string;
  /** Whether windows that go on behind it are meant, too. */
  readonly isBeginning: boolean;
}

/**
 * Every block that holds the text has each of these. Of many, some are enough: what stands around its joints, which few texts
 * share; windows of three characters with digits; those in which two words meet, which hold more seldom than either
 * word alone; and some from all over it.
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

/** Every three characters in a row; a text that is shorter is a window itself. */
function windowsOf(characters: Characters): readonly string[] {
  const windows = new Set<string>();
  for (let at = 0; at === 0 || at + WINDOW_LENGTH <= characters.length; at++) {
    const window = characters.slice(at, at + WINDOW_LENGTH);
    if (!window.includes(WINDOW_END)) windows.add(window.join(''));
  }
  return [...windows];
}

/** Characters of the word before a joint, and from the joint on, that make a window. */
const BEFORE = 2;
const FROM = 4;

/** Of a last word that may go on, so much with its joint is enough to ask for windows that begin so. */
const ENOUGH = 2;

/** A word that is no longer with its joint is within a window, and not at its beginning. */
const SHORT = 4;

/**
 * What stands around its joints, as far as the text says. Its first word may go on before it and its last one behind
 * it. Where both a short word and less are windows, one of them is enough.
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

/** Of a short word between two joints, with what stands before it; null where there is none, or not all of it. */
function beforeBoth(words: readonly Characters[], i: number): Characters | null {
  const short = words[i - 1];
  const before = endOf(words, i - 2);
  return short === undefined || short.length > SHORT || before === null ? null : [...before, ...short];
}

/** The last characters of a word; null where there is none, or not all of them. */
function endOf(words: readonly Characters[], i: number): Characters | null {
  const word = words[i];
  return word !== undefined && (i > 0 || word.length >= BEFORE) ? word.slice(-BEFORE) : null;
}

/** The words with the joint before each. */
function wordsOf(characters: Characters): readonly Characters[] {
  const words: string[][] = [];
  for (const character of characters) {
    const word = words.at(-1);
    if (word === undefined || isJoint(character)) words.push([character]);
    else word.push(character);
  }
  return words;
}

/** Of ASCII only, so that the database has the same ones whatever its Unicode. */
function isJoint(character: string): boolean {
  return character <= LAST_OF_ASCII && !/[0-9A-Za-z]/.test(character);
}

const LAST_OF_ASCII = '\u007f';

function isNumbered(window: string): boolean {
  return /[0-9]/.test(window);
}

/** Whether a window has the end of a word and the beginning of the next. */
function isMeeting(window: string): boolean {
  const [first = '', middle = '', last = ''] = window;
  return LETTER_OR_DIGIT.test(first) && !LETTER_OR_DIGIT.test(middle) && LETTER_OR_DIGIT.test(last);
}

/** At most `most` of them, from all over. */
function spread(windows: readonly string[], most: number): readonly string[] {
  const step = Math.max(1, windows.length / most);
  return windows.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step)).slice(0, most);
}

export interface SearchTerms {
  readonly folded: string;
  /** Finds it anywhere in a text. */
  readonly pattern: string;
  /** Greater than every title that begins with it, and no greater than any other that comes after it. */
  readonly afterPrefix: string;
  /** A text query that every block meets that holds the text; empty if it has no windows to ask for. */
  readonly windows: string;
  /** The same for the text at the beginning of a word that is not a title's first. */
  readonly wordWindows: string;
  /** Finds it in a title with marks, at the beginning of a word that is not the first. */
  readonly wordPattern: string;
  /** Whether it could match across the end of one text and the beginning of the next. */
  readonly mayCrossTexts: boolean;
}

/** The values of the parameters, `$1` and up, as texts. */
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

/** The longest title that is in order in an index has fewer characters. */
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

/** The characters as they stand in a title with marks, whatever follows. */
function mark(characters: readonly string[]): string {
  return characters
    .map((character) => (LETTER_OR_DIGIT.test(character) ? character : character + WORD_MARK))
    .join('');
}

/** What the windows of a title hold of a word that begins so: its first characters up to the next mark. */
function wordOf(marked: string): string {
  const [first = ''] = marked.split(WORD_MARK, 1);
  const characters = [...first].slice(0, WINDOW_LENGTH);
  return characters.includes(WINDOW_END) ? '' : characters.join('');
}

/** A text query for a window. */
function windowQuery(window: string): string {
  return `'${window.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
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
