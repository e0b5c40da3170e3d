/** How much a search reads of one kind before it goes on to the next. */
import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** In a scope of fewer rows than this that has no blocks of its own, all of them are looked at. */
  readonly few: number;
  /** In no more organizations than this, their own blocks alone are read. */
  readonly apart: number;
  /** Of the first blocks of everything, those that are read before the own ones of more organizations, if so many are. */
  readonly ahead: number;
  /** Of the others, those that are read if there is no first one. */
  readonly behind: number;
  /** Of the own blocks of several organizations, those that are read in the first round; at least 1. */
  readonly round: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  few: 512,
  apart: 8,
  ahead: 64,
  behind: 64,
  round: 24,
};

export type SearchBoundsSql = Readonly<Record<'few' | 'ahead' | 'behind' | 'round', Sql>> &
  Pick<SearchBounds, 'apart'>;

/** The bounds as constants; throws unless each is a whole number in its range. */
export function searchBoundsSql({ few, apart, ahead, behind, round }: SearchBounds): SearchBoundsSql {
  return {
    few: countLiteral(few),
    apart,
    ahead: countLiteral(ahead),
    behind: countLiteral(behind),
    round: countLiteral(round, 1),
  };
}
