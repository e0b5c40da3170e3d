/** Titles that resemble a text which nothing contains (Contract: §6). */

import { intersect } from '#domain/sets.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { SearchHit } from './search-hit.ts';

// Trigrams as in PostgreSQL's pg_trgm: words get two spaces before and one after, and each trigram counts once.

const WORD = /[\p{Alphabetic}\p{N}]+/gu;

/** Shared trigrams over all, from 0 to 1. */
export function similarityTo(text: string): (other: string) => number {
  const own = trigramsOf(text);
  return (other) => {
    const others = trigramsOf(other);
    const shared = intersect(own, others).size;
    return shared === 0 ? 0 : shared / (own.size + others.size - shared);
  };
}

function trigramsOf(text: string): ReadonlySet<string> {
  const trigrams = new Set<string>();
  for (const [word] of foldCase(text).matchAll(WORD)) {
    const characters = [' ', ' ', ...word, ' '];
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''));
  }
  return trigrams;
}

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
    compareCodePoints(a.hit.id, b.hit.id)
  );
}
