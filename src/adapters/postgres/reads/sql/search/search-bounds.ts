/** How far a search goes each of its ways before it takes another. The words are in the README beside `search/`. */
import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

/** Counts of rows, titles, heads or beginnings. */
export interface SearchBounds {
  /** A scope with fewer sampled rows than this is small. */
  readonly smallScope: number;
  /** A scope with this many sampled rows is never read as a whole, however small a part of everything it is. */
  readonly largeScope: number;
  /** A text that this many sampled rows contain is not rare. */
  readonly commonText: number;
  /** A text that this many sampled rows contain is worth a long walk. */
  readonly veryCommonText: number;
  /** Titles that a walk passes at most. */
  readonly walk: number;
  readonly longWalk: number;
  /** With this many heads, none is looked at. */
  readonly heads: number;
  /** Beginnings of titles that are followed at most. */
  readonly beginnings: number;
}

/** One in 256 rows is sampled. */
export const SEARCH_BOUNDS: SearchBounds = {
  smallScope: 16,
  largeScope: 250,
  commonText: 10,
  veryCommonText: 100,
  walk: 10_000,
  longWalk: 20_000,
  heads: 20_000,
  beginnings: 200,
};

export type SearchBoundsSql = Readonly<Record<keyof SearchBounds, Sql>>;

/** The bounds as constants; throws unless each is a whole number from 0 on. */
export function searchBoundsSql(bounds: SearchBounds): SearchBoundsSql {
  return {
    smallScope: countLiteral(bounds.smallScope),
    largeScope: countLiteral(bounds.largeScope),
    commonText: countLiteral(bounds.commonText),
    veryCommonText: countLiteral(bounds.veryCommonText),
    walk: countLiteral(bounds.walk),
    longWalk: countLiteral(bounds.longWalk),
    heads: countLiteral(bounds.heads),
    beginnings: countLiteral(bounds.beginnings),
  };
}
