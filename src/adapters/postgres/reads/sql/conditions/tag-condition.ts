/** Conditions on single tags (`tags.name`): the elements of the device's array of tags. */
import { likeLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { TextPredicate } from '#domain/filter/conditions/predicate.ts';
import { foldedAsFarAs } from './folded-text.ts';
import { overlaps } from './list-condition.ts';
import { patternCondition } from './pattern-condition.ts';

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
        : exists(sql`${foldedAsFarAs(sql`e.tag`, folded)} like ${likeLiteral(folded, position)}`);
    }
    case 'pattern':
      return exists(patternCondition(sql`e.tag`, predicate.pattern));
    default:
      return assertNever(predicate);
  }
}

const ANY_TAG = sql`d.tags <> '{}'`;

function exists(condition: Sql): Sql {
  return sql`exists (select 1 from unnest(d.tags) e(tag) where ${condition})`;
}
