/**
 * Folds case like PostgreSQL's ILIKE: each character becomes its simple lower-case mapping, whatever its neighbors. The
 * Kelvin sign becomes k and İ becomes i, but ß does not become ss. JavaScript's toLowerCase depends on neighbors (Σ)
 * and can lengthen text (İ). The database stores folded text and never folds, so results do not depend on its locale.
 */

// The only characters whose toLowerCase differs from the simple mapping.
const SPECIAL = /[İΣ]/;

/** The result has as many code points as the text (Contract: §4). */
export function foldCase(text: string): string {
  return SPECIAL.test(text)
    ? text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
    : text.toLowerCase();
}

// Case-insensitive tests. They avoid folding a copy of each text, which would cost more than the comparison.
// `folded` must be case-folded already.

/** Whether the text, when folded, equals, contains, begins or ends with `folded`. */
export type TextMatcher = (text: string) => boolean;

export function equalsFolded(folded: string): TextMatcher {
  if (!isAscii(folded)) return (text) => foldCase(text) === folded;
  return (text) => text.length === folded.length && foldCase(text) === folded;
}

export function containsFolded(folded: string): TextMatcher {
  if (!isAscii(folded)) return (text) => foldCase(text).includes(folded);
  const pattern = new RegExp(Array.from(folded, unfolded).join(''));
  return (text) => pattern.test(text);
}

export function startsWithFolded(folded: string): TextMatcher {
  if (!isAscii(folded)) return (text) => foldCase(text).startsWith(folded);
  const { length } = folded;
  return (text) => text.length >= length && foldCase(text.slice(0, length)) === folded;
}

export function endsWithFolded(folded: string): TextMatcher {
  if (!isAscii(folded)) return (text) => foldCase(text).endsWith(folded);
  const { length } = folded;
  return (text) => text.length >= length && foldCase(text.slice(text.length - length)) === folded;
}

/**
 * If `folded` is ASCII, lengths can be compared before folding, because all characters that fold to ASCII are one
 * UTF-16 unit long.
 */
function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function unfolded(character: string): string {
  const upper = character.toUpperCase();
  if (upper === character) return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `[${character}${upper}${FOLD_TO_ASCII[character] ?? ''}]`;
}

/** The only characters beyond ASCII that fold to ASCII. */
const FOLD_TO_ASCII: Readonly<Record<string, string>> = { i: '\u0130', k: '\u212A' };

/** In code points. Keeps cursors short. */
export const SORTED_NAME_LENGTH = 200;

/** Lists sort names by this key (Contract: §10). */
export function sortedName(name: string): string {
  const folded = foldCase(name);
  return folded.length <= SORTED_NAME_LENGTH
    ? folded
    : Array.from(folded).slice(0, SORTED_NAME_LENGTH).join('');
}
