/** Finds titles that resemble the text, for searches without a match (Contract: §6). */

import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { SearchHit } from './search-hit.ts';

// Trigrams as in PostgreSQL's pg_trgm: words get two spaces before and one after.

const WORD = /[\p{Alphabetic}\p{N}]+/gu;

/**
 * `word_similarity(text, other)` of pg_trgm, from 0 to 1. Compares the text to the most similar stretch of `other`:
 * their common trigrams divided by all trigrams of both. Like pg_trgm, it extends one stretch to the right and shortens
 * it from the left.
 */
export function wordSimilarityTo(text: string): (other: string) => number {
  const own = new Set(trigramsOf(text));
  return (other) => {
    const trigrams = trigramsOf(other);
    /** Where each trigram was last found. */
    const last = new Map<string, number>();
    let [lower, shared, best] = [-1, 0, 0];
    const similarity = (both: number, length: number) => both / (own.size + length - both);
    for (const [upper, trigram] of trigrams.entries()) {
      const isOwn = own.has(trigram);
      if (lower === -1 && !isOwn) continue;
      if (isOwn && !last.has(trigram)) shared++;
      last.set(trigram, upper);
      if (!isOwn) continue;
      if (lower === -1) lower = upper;
      let cut = { lower, shared, length: last.size, similarity: similarity(shared, last.size) };
      let [left, length] = [shared, last.size];
      for (let at = lower; at <= upper; at++) {
        const now = similarity(left, length);
        if (now > cut.similarity) cut = { lower: at, shared: left, length, similarity: now };
        const first = trigrams[at] ?? '';
        if (last.get(first) !== at) continue;
        length--;
        if (own.has(first)) left--;
      }
      for (let at = lower; at < cut.lower; at++) {
        const dropped = trigrams[at] ?? '';
        if (last.get(dropped) === at) last.delete(dropped);
      }
      ({ lower, shared } = cut);
      best = Math.max(best, cut.similarity);
    }
    return best;
  };
}

/** All trigrams in order, with repeats. */
function trigramsOf(text: string): readonly string[] {
  const trigrams: string[] = [];
  for (const [word] of foldCase(text).matchAll(WORD)) {
    const characters = [' ', ' ', ...word, ' '];
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.push(characters.slice(at, at + 3).join(''));
  }
  return trigrams;
}

export interface SimilarHit<Hit extends SearchHit = SearchHit> {
  readonly hit: Hit;
  /** From `MIN_SIMILARITY` to 1. */
  readonly similarity: number;
  readonly foldedTitle: string;
}

/** Contract: §6. */
export const MIN_SIMILARITY = 0.5;

/** Shorter texts resemble too many titles. */
const MIN_LETTERS = 4;

/** Whether the text has enough letters. */
export function canBeApproximate(text: string): boolean {
  return (text.match(/\p{Alphabetic}/gu)?.length ?? 0) >= MIN_LETTERS;
}

/** Null if the title is not similar enough. */
export function makeRankSimilar(text: string): <Hit extends SearchHit>(hit: Hit) => SimilarHit<Hit> | null {
  const similarityOf = wordSimilarityTo(text);
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
    compareCodePoints(a.hit.id, b.hit.id)
  );
}
