import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** A scope without own blocks and with fewer rows than this is read entirely. */
  readonly few: number;
  /** In up to this many organizations, only their own blocks are read. */
  readonly apart: number;
  /**
   * In more organizations, up to this many blocks of all titles per organization may be read before their own blocks.
   */
  readonly ahead: number;
  /** How many of those are read first, to see whether the others are worth reading; at least 1. */
  readonly tried: number;
  /** How many own blocks of several organizations the first round reads; at least 1. */
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
