import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import { translateInSlices } from './translate-in-slices.ts';

/**
 * Checks regular expressions with the engine that will run them. A pattern that PostgreSQL accepts but this process
 * cannot run exactly is refused too; the reason names the construct.
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
