/** Regular expressions, checked by the engine that will run them. */
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import { translateInSlices } from './translate-in-slices.ts';

/**
 * A pattern that PostgreSQL would take and this process cannot run exactly is refused as well, by the name of what
 * is in the way.
 */
export function makePatternChecker(translatePattern: TranslatePattern): PatternChecker {
  return async (patterns) => {
    const refused = new Map<string, string>();
    for (const [pattern, translation] of await translateInSlices(patterns, translatePattern)) {
      if (!translation.ok) refused.set(pattern, translation.error.message);
    }
    return refused;
  };
}
