/**
 * The back office: erases the accounts of approved requests that are due (Spec: States and transitions; Contract: §7,
 * "Back office"), each in its own transaction. A failed request is set aside and blocks no others.
 */
import type { MakeSystemEntry } from '#application/audit/make-entry.ts';
import type { Job } from '#application/job.ts';
import { refuseLeaving } from '#application/people/rights-refusals.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { traceOf } from '#application/telemetry/error-words.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ProcessingRequest } from '#domain/deletion/deletion-request.ts';
import { decideDeletion } from '#domain/deletion/deletion-transitions.ts';
import { decisionFacts } from './process-deletion.ts';

/** Runs until nothing is due; the signal stops it between two requests. */
export type CompleteDeletions = (signal?: AbortSignal) => Promise<CompletionTally>;

/** Numbers of requests. */
export interface CompletionTally {
  readonly completed: number;
  readonly failed: number;
}

export interface CompleteDeletionsDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeSystemEntry: MakeSystemEntry;
  readonly clock: Clock;
  /** The clock that decides which requests are due. Default: `clock`. */
  readonly dueClock?: Clock | SharedClock;
  readonly log: Log;
}

export function makeCompleteDeletions(deps: CompleteDeletionsDeps): CompleteDeletions {
  return async (signal) => {
    const tally = { completed: 0, failed: 0 };
    while (signal?.aborted !== true) {
      const outcome = await completeNext(deps);
      if (outcome === 'idle') break;
      tally[outcome]++;
    }
    return tally;
  };
}

async function completeNext(deps: CompleteDeletionsDeps): Promise<'completed' | 'failed' | 'idle'> {
  const inHand: { request: ProcessingRequest | null } = { request: null };
  try {
    const now = await (deps.dueClock ?? deps.clock)();
    return await deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      inHand.request = await tx.deletions.claimDue(now);
      if (inHand.request === null) return 'idle';
      await complete(deps, tx, inHand.request);
      return 'completed';
    });
  } catch (error) {
    // No request was claimed: the storage failed.
    if (inHand.request === null) throw error;
    await setAside(deps, inHand.request, error);
    return 'failed';
  }
}

async function complete(
  { clock, makeSystemEntry }: CompleteDeletionsDeps,
  tx: Transaction,
  claimed: ProcessingRequest,
): Promise<void> {
  const at = clock();
  const decision = decideDeletion(claimed, { kind: 'complete', at });
  if (decision.outcome === 'refused') throw new Error(`claimed a request that is ${decision.reason}`);
  const { request } = decision;
  const { id, userId } = request;
  if ((await refuseLeaving(tx, userId)) !== null) throw new LastAdministratorError();
  const person = await tx.deletions.findPerson(userId);
  await tx.eraseAccount(userId);
  await tx.deletions.advance('processing', request);
  if (person !== null) {
    await tx.mail({ kind: 'deletion-completed', requestId: id, to: person, facts: { completedAt: at } });
  }
  await tx.audit(makeSystemEntry(decisionFacts(decision)));
}

/** Stops the erasure of the last administrator, which is retried until there is another one. */
class LastAdministratorError extends Error {
  override readonly name = 'LastAdministratorError';
}

async function setAside(
  { unitOfWork, clock, log }: CompleteDeletionsDeps,
  { id }: ProcessingRequest,
  error: unknown,
): Promise<void> {
  const problem = describeProblem(error);
  const failedAt = clock();
  const outcome = await unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.setAside(id, { problem, failedAt }));
  const nextAttemptAt = outcome === null ? null : new Date(outcome.nextAttemptAt).toISOString();
  log.error(
    {
      deletionRequestId: id,
      failures: outcome?.failures ?? null,
      nextAttemptAt,
      problem,
      stack: traceOf(error),
    },
    'an account could not be erased; it will be retried',
  );
}

/** Returns only the error's name and code, because a database message may quote a row. */
function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `${error.name} (${code})` : error.name;
}

/** One request at a time: erasures are rare, and workers share them. */
export function makeErasureJob(completeDeletions: CompleteDeletions): Job {
  return {
    name: 'erasure',
    concurrency: 1,
    run: async ({ stopping }) => {
      await completeDeletions(stopping);
    },
  };
}
