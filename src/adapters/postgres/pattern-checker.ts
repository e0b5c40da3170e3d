/** Asks PostgreSQL itself whether it takes a regular expression, and remembers what it said. */
import { LRUCache } from 'lru-cache';
import type { PatternChecker } from '#application/ports/pattern-checker.ts';
import type { HotReader } from './hot-reader.ts';

const REMEMBERED_PATTERNS = 10_000;

export function makePatternChecker(reader: HotReader): PatternChecker {
  const reasons = new LRUCache<string, { readonly reason: string | null }>({ max: REMEMBERED_PATTERNS });
  return async (patterns) => {
    const refused = new Map<string, string>();
    for (const pattern of patterns) {
      const known = reasons.get(pattern) ?? { reason: await reader.checkPattern(pattern) };
      reasons.set(pattern, known);
      if (known.reason !== null) refused.set(pattern, known.reason);
    }
    return refused;
  };
}
