/** Wraps use cases and limits so that the metrics see them. */
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';
import type { Result } from '#domain/result.ts';
import type { EvaluationKind, Metrics } from './metrics.ts';

export function measureFilters(filters: FilterUseCases, metrics: Metrics): FilterUseCases {
  return {
    ...filters,
    previewConditions: (...asked) => measured(metrics, 'preview', () => filters.previewConditions(...asked)),
    previewFilter: (...asked) => measured(metrics, 'preview', () => filters.previewFilter(...asked)),
  };
}

export function measureSearch(search: SearchEverything, metrics: Metrics): SearchEverything {
  return (...asked) => measured(metrics, 'search', () => search(...asked));
}

export function measureRateLimiter(rateLimiter: RateLimiter, metrics: Metrics): RateLimiter {
  return {
    consume: async (key) => {
      const verdict = await rateLimiter.consume(key);
      if (!verdict.allowed) metrics.noteRefusal(key.rule.name);
      return verdict;
    },
    refund: (key) => rateLimiter.refund(key),
  };
}

async function measured<R extends Result<unknown, { readonly code: string }>>(
  metrics: Metrics,
  kind: EvaluationKind,
  evaluate: () => Promise<R>,
): Promise<R> {
  const startedAt = performance.now();
  const note = (outcome: Parameters<Metrics['noteEvaluation']>[1]) =>
    metrics.noteEvaluation(kind, outcome, performance.now() - startedAt);
  try {
    const result = await evaluate();
    if (result.ok) note('done');
    else note(TIMEOUTS.has(result.error.code) ? 'timeout' : 'refused');
    return result;
  } catch (error) {
    note('failed');
    throw error;
  }
}

const TIMEOUTS: ReadonlySet<string> = new Set(['filter_timeout', 'search_timeout']);
