/** Regular expressions of a filter, made ready to run without keeping anything else in the process waiting. */
import { makeYieldToEventLoop } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';

export type Translation = ReturnType<TranslatePattern>;

/** Each pattern once. One that can be evaluated has been run, since only that compiles it. */
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

/** A translation of the filter's own patterns that takes no time any more. */
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
