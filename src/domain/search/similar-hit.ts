/** Approximate results: titles that resemble a text that nothing contains (Contract: §6). */
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { SearchHit } from './search-hit.ts';
import { similarityTo } from './trigram-similarity.ts';

/** A hit with its sort keys. */
export interface SimilarHit<Hit extends SearchHit = SearchHit> {
  readonly hit: Hit;
  /** From 0.3 to 1. */
  readonly similarity: number;
  readonly foldedTitle: string;
}

const MIN_SIMILARITY = 0.3;

/** Shorter texts resemble too many titles. */
const MIN_LETTERS = 4;

/** Whether the text is long enough for approximate results. */
export function canBeApproximate(text: string): boolean {
  return (text.match(/\p{Alphabetic}/gu)?.length ?? 0) >= MIN_LETTERS;
}

/** Ranks a hit by similarity; null if its title is not similar enough. */
export function makeRankSimilar(text: string): <Hit extends SearchHit>(hit: Hit) => SimilarHit<Hit> | null {
  const similarityOf = similarityTo(text);
  return (hit) => {
    const similarity = similarityOf(hit.title);
    return similarity < MIN_SIMILARITY ? null : { hit, similarity, foldedTitle: foldCase(hit.title) };
  };
}

/** Most similar first, then by folded title in code point order, then by id. */
export function compareSimilarHits(a: SimilarHit, b: SimilarHit): number {
  return (
    b.similarity - a.similarity ||
    compareCodePoints(a.foldedTitle, b.foldedTitle) ||
    (a.hit.id < b.hit.id ? -1 : a.hit.id > b.hit.id ? 1 : 0)
  );
}
