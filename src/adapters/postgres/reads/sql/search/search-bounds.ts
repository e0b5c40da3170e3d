/** How many blocks a search in several organizations reads before it bounds the rest by what it has found. */
import { countLiteral, type Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchBounds {
  /** Rows of the blocks of everything that are looked at before. */
  readonly sight: number;
  /** Blocks that are read at first. */
  readonly first: number;
  /** Blocks that are read next, as far as the first have not bounded them. */
  readonly next: number;
}

export const SEARCH_BOUNDS: SearchBounds = { sight: 800, first: 24, next: 64 };

export type SearchBoundsSql = Readonly<Record<keyof SearchBounds, Sql>>;

/** The bounds as constants; throws unless each is a whole number from 0 on. */
export function searchBoundsSql({ sight, first, next }: SearchBounds): SearchBoundsSql {
  return { sight: countLiteral(sight), first: countLiteral(first), next: countLiteral(next) };
}
