/**
 * The searched text in the forms that the search tables are queried with; `schema/search.ts` makes the
 * other side of each. All of them are parameters: no part of a text becomes SQL.
 */
import { likePattern } from '#adapters/postgres/reads/sql/literal.ts';
import { LETTER_OR_DIGIT } from '#domain/search/search-hit.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { searchWindows, WINDOW_LENGTH } from './search-windows.ts';

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
const WINDOW_END = '\u001d';

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
