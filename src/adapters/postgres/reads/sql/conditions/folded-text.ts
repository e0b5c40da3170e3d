/**
 * Folds columns that have no folded copy. Only characters that fold to a character of the sought text are replaced,
 * because no others can match. `lower()` is used only for ASCII, because otherwise it depends on the locale.
 */
import { type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import { foldCase } from '#domain/text/fold-case.ts';

/** Replaces each character that folds to a character of `folded`. */
export function foldedAsFarAs(text: Sql, folded: string): Sql {
  const from: string[] = [];
  const to: string[] = [];
  for (const character of new Set(folded)) {
    for (const unfolded of unfoldedCharacters().get(character) ?? []) {
      from.push(unfolded);
      to.push(character);
    }
  }
  const lower = sql`lower(${text} collate "C")`;
  return from.length === 0
    ? lower
    : sql`translate(${lower}, ${textLiteral(from.join(''))}, ${textLiteral(to.join(''))})`;
}

/** No character after this code point changes when folded (Unicode 17). A test checks it. */
const LAST_FOLDED = 0x1ffff;

let unfoldedByFolded: ReadonlyMap<string, readonly string[]> | null = null;

/** For each folded character, the characters that fold to it. Covers only non-ASCII characters, about 1,400 in all. */
function unfoldedCharacters(): ReadonlyMap<string, readonly string[]> {
  if (unfoldedByFolded !== null) return unfoldedByFolded;
  const found = new Map<string, string[]>();
  for (let codePoint = 0x80; codePoint <= LAST_FOLDED; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const folded = foldCase(character);
    if (folded === character) continue;
    const others = found.get(folded);
    if (others === undefined) found.set(folded, [character]);
    else others.push(character);
  }
  unfoldedByFolded = found;
  return found;
}
