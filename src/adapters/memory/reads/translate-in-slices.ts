/** Translates the regular expressions of a filter without blocking the process. */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';

export type Translation = ReturnType<TranslatePattern>;

/** Translates each pattern once. A usable pattern is also run once, because the engine compiles it only then. */
export async function translateInSlices(
  patterns: Iterable<string>,
  translatePattern: TranslatePattern,
): Promise<ReadonlyMap<string, Translation>> {
  const yieldToEventLoop = makeYieldToEventLoop();
  const translations = new Map<string, Translation>();
  for (const pattern of patterns) {
    if (translations.has(pattern)) continue;
    const translation = translatePattern(pattern);
    if (translation.ok) translation.value('');
    translations.set(pattern, translation);
    await yieldToEventLoop();
  }
  return translations;
}

/** Translates the filter's patterns in advance; the returned function only looks them up. */
export async function translatePatternsOf(
  filter: Node<Criterion>,
  translatePattern: TranslatePattern,
): Promise<TranslatePattern> {
  const patterns: string[] = [];
  foldConditions(filter, {
    condition: ({ predicate }) => void (predicate.kind === 'pattern' && patterns.push(predicate.pattern)),
    group: () => undefined,
  });
  if (patterns.length === 0) return translatePattern;
  const translations = await translateInSlices(patterns, translatePattern);
  return (pattern) => translations.get(pattern) ?? translatePattern(pattern);
}
