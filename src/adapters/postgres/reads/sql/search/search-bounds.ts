/** How much a search reads of one kind before it goes on to the next. */
import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** The number, from 0 on, of the last row that is looked at before any block, for a single character. */
  readonly peeked: number;
  /** Blocks of one sequence that are put in order before all of them are. */
  readonly sorted: number;
  /** In no more organizations than this, their own blocks alone are read. */
  readonly apart: number;
  /** Blocks of everything that are read before those of more organizations. */
  readonly sight: number;
  /** Of the own blocks of several organizations, those that are read at first. */
  readonly first: number;
  /** Those that are read next, as far as the first have not bounded them. */
  readonly next: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  peeked: 127,
  sorted: 256,
  apart: 8,
  sight: 64,
  first: 24,
  next: 64,
};

export type SearchBoundsSql = Readonly<Record<'peeked' | 'sorted' | 'sight' | 'first' | 'next', Sql>> &
  Pick<SearchBounds, 'apart'>;

/** The bounds as constants; throws unless each is a whole number from 0 on. */
export function searchBoundsSql({
  peeked,
  sorted,
  apart,
  sight,
  first,
  next,
}: SearchBounds): SearchBoundsSql {
  return {
    peeked: countLiteral(peeked),
    sorted: countLiteral(sorted),
    apart,
    sight: countLiteral(sight),
    first: countLiteral(first),
    next: countLiteral(next),
  };
}
