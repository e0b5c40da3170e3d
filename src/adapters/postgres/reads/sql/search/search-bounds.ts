import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** A scope with fewer rows than this, and no search blocks of its own, is scanned in full. */
  readonly few: number;
  /** In up to this many organizations, only their own blocks are read. */
  readonly apart: number;
  /** In more organizations, this many blocks of all titles for each may be read before their own. */
  readonly ahead: number;
  /** How many of those are read first, to see whether the others are worth it; at least 1. */
  readonly tried: number;
  /** Own blocks of several organizations that the first round reads; at least 1. */
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

export function searchBoundsSql({ few, apart, ahead, tried, round }: SearchBounds): SearchBoundsSql {
  return {
    few: countLiteral(few),
    apart,
    ahead,
    tried: countLiteral(tried, 1),
    round: countLiteral(round, 1),
  };
}
