/** Regular expressions, checked by the engine that will run them. */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';

/**
 * A pattern that PostgreSQL would take and this process cannot run exactly is refused as well, by the name of what
 * is in the way.
 */
export function makePatternChecker(translatePattern: TranslatePattern): PatternChecker {
  return async (patterns) => {
    const yieldToEventLoop = makeYieldToEventLoop();
    const refused = new Map<string, string>();
    for (const pattern of patterns) {
      const translated = translatePattern(pattern);
      if (!translated.ok) refused.set(pattern, translated.error.message);
      await yieldToEventLoop();
    }
    return refused;
  };
}
