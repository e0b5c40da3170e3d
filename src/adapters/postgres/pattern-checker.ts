/** Asks PostgreSQL itself whether it takes a regular expression, and remembers what it said. */
import { LRUCache } from 'lru-cache';
import type { PatternChecker } from '#application/ports/pattern-checker.ts';
import type { HotReader, PatternVerdict } from './hot-reader.ts';

const REMEMBERED_PATTERNS = 10_000;

export function makePatternChecker(reader: HotReader): PatternChecker {
  const verdicts = new LRUCache<string, PatternVerdict>({ max: REMEMBERED_PATTERNS });
  return async (patterns) => {
    const refused = new Map<string, string>();
    for (const pattern of patterns) {
      const verdict = verdicts.get(pattern) ?? (await reader.checkPattern(pattern));
      // A good one that met a busy moment must not stay refused.
      if (verdict.isFinal) verdicts.set(pattern, verdict);
      if (verdict.reason !== null) refused.set(pattern, verdict.reason);
    }
    return refused;
  };
}
