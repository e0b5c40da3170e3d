import { LRUCache } from 'lru-cache';
import type { JudgePatterns, ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

const CACHED_PATTERNS = 10_000;
const CACHED_LENGTH = 1_000_000;

const BATCH_SIZE = 100;

/** If several patterns together take longer, they are checked in smaller batches. */
const BATCH_LIMIT_MS = 200;

const TOO_COMPLEX = 'regular expression is too complex';

/** `budgetMs` limits PostgreSQL's time for one call. */
export function makePatternChecker(
  reader: Pick<ScopedReader, 'withPatterns'>,
  budgetMs: number,
): PatternChecker {
  const known = new LRUCache<string, { readonly reason: string | null }>({
    max: CACHED_PATTERNS,
    maxSize: CACHED_LENGTH,
    sizeCalculation: (_verdict, pattern) => pattern.length + 1,
  });
  return async (patterns, onBehalfOf) => {
    const refused = new Map<string, string>();
    const unknown: string[] = [];
    for (const pattern of new Set(patterns)) {
      const answer = known.get(pattern);
      if (answer === undefined) unknown.push(pattern);
      else if (answer.reason !== null) refused.set(pattern, answer.reason);
    }
    if (unknown.length === 0) return refused;
    const remember = (pattern: string, reason: string | null) => known.set(pattern, { reason });
    await reader.withPatterns(onBehalfOf, (judge) => judgeAll(judge, unknown, budgetMs, refused, remember));
    return refused;
  };
}

/**
 * Halves each batch with a bad pattern, until enough patterns are refused or time runs out. A pattern being
 * checked when time runs out is refused, so no filter is accepted with unchecked patterns.
 */
async function judgeAll(
  judge: JudgePatterns,
  patterns: readonly string[],
  budgetMs: number,
  refused: Map<string, string>,
  remember: (pattern: string, reason: string | null) => void,
): Promise<void> {
  const end = performance.now() + budgetMs;
  const batches = inBatches(patterns);
  for (let batch = batches.pop(); batch !== undefined && refused.size < MAX_FAULTS; batch = batches.pop()) {
    const [first] = batch;
    if (first === undefined) continue;
    const isOne = batch.length === 1;
    const left = end - performance.now();
    const verdict =
      left <= 0 ? TIME_IS_UP : await judge(batch, isOne ? left : Math.min(left, BATCH_LIMIT_MS));
    if (verdict.kind === 'good') {
      for (const pattern of batch) remember(pattern, null);
    } else if (verdict.kind === 'refused' && isOne) {
      refused.set(first, verdict.reason);
      remember(first, verdict.reason);
    } else if (verdict.kind === 'timeout' && (isOne || performance.now() >= end)) {
      refused.set(first, TOO_COMPLEX);
      return;
    } else {
      const middle = Math.ceil(batch.length / 2);
      batches.push(batch.slice(middle), batch.slice(0, middle));
    }
  }
}

const TIME_IS_UP = { kind: 'timeout' } as const;

/** Reversed, because `pop` takes the last batch. */
function inBatches(patterns: readonly string[]): (readonly string[])[] {
  const batches: (readonly string[])[] = [];
  for (let from = 0; from < patterns.length; from += BATCH_SIZE) {
    batches.push(patterns.slice(from, from + BATCH_SIZE));
  }
  return batches.reverse();
}
