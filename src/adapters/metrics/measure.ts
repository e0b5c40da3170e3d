import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { Job } from '#application/job.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { WebhookSender } from '#application/ports/live/webhook-sender.ts';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
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

export function measureAuth(auth: AuthUseCases, metrics: Metrics): AuthUseCases {
  return {
    ...auth,
    signIn: async (...asked) => {
      const result = await auth.signIn(...asked);
      metrics.noteSignIn(result.ok ? 'done' : result.error.code);
      return result;
    },
    finishVisit: async (...asked) => {
      const finished = await auth.finishVisit(...asked);
      const { isLinking, outcome } = finished;
      if (!isLinking) metrics.noteSignIn(outcome.ok ? 'done' : outcome.error);
      return finished;
    },
  };
}

export function measureMails(send: MailSender, metrics: Metrics): MailSender {
  return async (mail, signal) => {
    const outcome = await send(mail, signal).catch((error: unknown) => {
      metrics.noteMail('failed');
      throw error;
    });
    metrics.noteMail(outcome.result);
    return outcome;
  };
}

export function measureWebhooks(send: WebhookSender, metrics: Metrics): WebhookSender {
  return async (message, aborting) => {
    const attempt = await send(message, aborting);
    if (attempt === null) metrics.noteDelivery('aborted');
    else metrics.noteDelivery(attempt.error === null ? 'delivered' : 'failed');
    return attempt;
  };
}

export function measureJob(job: Job, metrics: Metrics): Job {
  return {
    ...job,
    run: async (stop) => {
      const startedAt = performance.now();
      const note = (outcome: 'done' | 'failed') =>
        metrics.noteJobRun(job.name, outcome, performance.now() - startedAt);
      await job.run(stop).catch((error: unknown) => {
        note('failed');
        throw error;
      });
      note('done');
    },
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
