/** Conditions on single tags (`tags.name`): the elements of the device's array of tags. */
import { assertNever } from '#domain/assert-never.ts';
import type { TextPredicate } from '#domain/filter/conditions/predicate.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { overlaps } from './list-condition.ts';
import { likeLiteral, type Sql, sql, textLiteral } from './literal.ts';

/** Whether the predicate holds of any tag; never NULL. */
export function tagCondition(predicate: TextPredicate): Sql {
  switch (predicate.kind) {
    case 'present':
      return ANY_TAG;
    case 'textIn':
      return overlaps(sql`d.tags`, predicate.values);
    case 'textLike': {
      const { folded, position } = predicate;
      return folded === ''
        ? ANY_TAG
        : exists(sql`${foldedAsFarAs(folded)} like ${likeLiteral(folded, position)}`);
    }
    case 'pattern':
      return exists(sql`e.tag ~ ${textLiteral(predicate.pattern)}`);
    default:
      return assertNever(predicate);
  }
}

const ANY_TAG = sql`d.tags <> '{}'`;

function exists(condition: Sql): Sql {
  return sql`exists (select 1 from unnest(d.tags) e(tag) where ${condition})`;
}

/**
 * The tag with every character that folds to one of `folded` replaced by it. That is as good as folding all of it,
 * since no other character can match. Tags have no folded companion column, and PostgreSQL's own lower() depends on
 * the locale for everything beyond ASCII.
 */
function foldedAsFarAs(folded: string): Sql {
  const from: string[] = [];
  const to: string[] = [];
  for (const character of new Set(folded)) {
    for (const unfolded of unfoldedCharacters().get(character) ?? []) {
      from.push(unfolded);
      to.push(character);
    }
  }
  const lower = sql`lower(e.tag collate "C")`;
  return from.length === 0
    ? lower
    : sql`translate(${lower}, ${textLiteral(from.join(''))}, ${textLiteral(to.join(''))})`;
}

/** Beyond these two planes no character changes when folded (Unicode 17); a test checks it. */
const LAST_FOLDED = 0x1ffff;

let unfoldedByFolded: ReadonlyMap<string, readonly string[]> | null = null;

/** The characters beyond ASCII that fold to each character, some 1,400 in all; listed when first needed. */
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
