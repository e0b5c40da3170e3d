/**
 * Software by name. Names are a catalogue of some thousand titles, and a device holds a set of their ids; so a name
 * is resolved to ids first, with a trigram index and in the same snapshot, and the devices are found by id.
 */
import type { Node, Test } from '#domain/filter/condition.ts';
import { foldConditions } from '#domain/filter/fold-conditions.ts';
import type { Predicate } from '#domain/filter/predicate.ts';
import { arrayLiteral, likeLiteral, numbersLiteral, type Sql, sql, textLiteral } from './literal.ts';

/** What a software predicate needs to know of the titles: each entry is a set of ids, any of which will do. */
export type TitleIds = ReadonlyMap<string, readonly number[]>;

/** One look into the catalogue of titles. */
export interface TitleLookup {
  readonly key: string;
  readonly condition: Sql;
}

/** Every look-up that a filter needs, each once. */
export function titleLookups(root: Node<Test>): readonly TitleLookup[] {
  const lookups = new Map<string, TitleLookup>();
  foldConditions<Test, void>(root, {
    condition: ({ field, predicate }) => {
      if (field.category !== 'software') return;
      for (const lookup of lookupsOf(predicate)) lookups.set(lookup.key, lookup);
    },
    group: () => undefined,
  });
  return [...lookups.values()];
}

/** The statement that answers every look-up: rows of (key, title_ids). */
export function titleStatement(lookups: readonly TitleLookup[]): Sql {
  const selects = lookups.map(
    ({ key, condition }) =>
      sql`select ${textLiteral(key)} as key, coalesce(array_agg(t.id), '{}') as title_ids from software_title t where ${condition}`,
  );
  return selects.join(' union all ') as Sql;
}

/** The condition on the set of a device, NULL where it never reported any software. */
export function softwareCondition(predicate: Predicate, titleIds: TitleIds): Sql {
  const sets = lookupsOf(predicate).map(({ key }) => {
    const ids = titleIds.get(key);
    if (ids === undefined) throw new Error('a software title was not looked up');
    return ids.length === 0 ? sql`false` : sql`s.title_ids && ${numbersLiteral(ids, sql`int4`)}`;
  });
  return sql`(${sets.join(' and ') as Sql})`;
}

function lookupsOf(predicate: Predicate): readonly TitleLookup[] {
  switch (predicate.kind) {
    case 'textLike':
      return [
        {
          key: `${predicate.position} ${predicate.folded}`,
          condition: sql`t.name_lc like ${likeLiteral(predicate.folded, predicate.position)}`,
        },
      ];
    case 'foldedTextIn':
      return [namesLookup([...predicate.values])];
    case 'hasAllFolded':
      return [...predicate.values].map((name) => namesLookup([name]));
    default:
      throw new Error(`${predicate.kind} is no test of software`);
  }
}

function namesLookup(names: readonly string[]): TitleLookup {
  return {
    key: `in ${JSON.stringify(names)}`,
    condition: sql`t.name_lc = any(${arrayLiteral(names, sql`text`)})`,
  };
}
