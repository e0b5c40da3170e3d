/** How much a search reads of one kind before it goes on to the next. */
import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** In a scope of fewer rows than this that has no blocks of its own, all of them are looked at. */
  readonly few: number;
  /** In no more organizations than this, their own blocks alone are read. */
  readonly apart: number;
  /** For each of more organizations, blocks of everything that may be read before their own. */
  readonly ahead: number;
  /** Of these, those that are read to see if it is worth it; at least 1. */
  readonly tried: number;
  /** Of the own blocks of several organizations, those that are read in the first round; at least 1. */
  readonly round: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  few: 512,
  apart: 24,
  ahead: 2,
  tried: 8,
  round: 4,
};

export type SearchBoundsSql = Readonly<Record<'few' | 'tried' | 'round', Sql>> &
  Pick<SearchBounds, 'apart' | 'ahead'>;

/** Those that are constants of a statement; throws unless each of them is a whole number in its range. */
export function searchBoundsSql({ few, apart, ahead, tried, round }: SearchBounds): SearchBoundsSql {
  return {
    few: countLiteral(few),
    apart,
    ahead,
    tried: countLiteral(tried, 1),
    round: countLiteral(round, 1),
  };
}
