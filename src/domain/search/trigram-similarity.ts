/**
 * Counts trigrams like PostgreSQL's pg_trgm: words of letters and digits get two spaces before and one after, and
 * each trigram counts once.
 */
import { intersect } from '#domain/sets.ts';
import { foldCase } from '#domain/text/fold-case.ts';

const WORD = /[\p{Alphabetic}\p{N}]+/gu;

/** The share of trigrams in common: shared over all, from 0 to 1. */
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
