/**
 * How alike two texts are by the three-character pieces of their words, as PostgreSQL's pg_trgm counts them: each word
 * of letters and digits has two spaces before it and one behind it, and a piece counts once.
 */
import { intersect } from '#domain/sets.ts';
import { foldCase } from '#domain/text/fold-case.ts';

const WORD = /[\p{Alphabetic}\p{N}]+/gu;

/** The similarity of texts to this one: of all pieces that either has, the part that both have, from 0 to 1. */
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
