import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** A scope without search blocks is scanned in full if it has fewer rows than this. */
  readonly few: number;
  /** With up to this many organizations, only their own search blocks are read. */
  readonly apart: number;
  /** With more organizations, blocks of all titles may be read first: up to this many per organization. */
  readonly ahead: number;
  /** How many blocks of all titles are read first, to see whether more are worth it; at least 1. */
  readonly tried: number;
  /** How many of the organizations' own blocks the first round reads; at least 1. */
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
