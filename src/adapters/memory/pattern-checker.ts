/** Regular expressions, checked by the engine that will run them. */
import type { PatternChecker } from '#application/ports/pattern-checker.ts';
import { translatePattern } from '#domain/filter/regex/translate-pattern.ts';
import { makeBreather } from './breather.ts';

/**
 * A pattern that PostgreSQL would take and this process cannot run exactly is refused as well, by the name of what
 * is in the way.
 */
export const checkPatterns: PatternChecker = async (patterns) => {
  const breathe = makeBreather();
  const refused = new Map<string, string>();
  for (const pattern of patterns) {
    const translated = translatePattern(pattern);
    if (!translated.ok) refused.set(pattern, translated.error.message);
    await breathe();
  }
  return refused;
};
