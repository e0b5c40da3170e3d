/** The caller's own deletion requests (`/auth/account-deletion-request`; Contract: §7). */
import {
  ACCOUNT_GONE,
  type ApplicationError,
  type FieldError,
  faultsIn,
  invalidField,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { deletionPasswords, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import {
  RECENT_SIGN_IN_REQUIRED,
  SESSION_NEEDED,
  SIGNED_IN_ELSEWHERE,
} from '#application/auth/auth-refusals.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { HasProvenRecently } from '#application/auth/passwords.ts';
import { sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import {
  type CancelledRequest,
  type DeletionRequest,
  type PendingRequest,
  parseDeletionText,
} from '#domain/deletion/deletion-request.ts';
import { decideDeletion } from '#domain/deletion/deletion-transitions.ts';
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { mailReviewers } from './mail-reviewers.ts';
import { decisionFacts, REFUSALS } from './process-deletion.ts';

export interface SubmitDeletionInput {
  readonly password: unknown;
  readonly reason: unknown;
}

export interface SubmittedDeletion {
  readonly request: PendingRequest;
  /** False if a request was already pending. */
  readonly isNew: boolean;
}

/** Checks in this order: MFA, body, rate limit, password, pending (Contract: §7). */
export type SubmitDeletion = <E>(
  call: Call,
  readInput: ReadInput<SubmitDeletionInput, E>,
) => Promise<Result<SubmittedDeletion, ApplicationError | E>>;

export interface SubmitDeletionDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly rateLimiter: RateLimiter;
  readonly signIns: SignInStore;
  readonly checkPassword: (userId: UserId, password: string) => Promise<boolean>;
  readonly hasProvenRecently: HasProvenRecently;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeSubmitDeletion(deps: SubmitDeletionDeps): SubmitDeletion {
  return async (call, readInput) => {
    const { userId } = call.caller;
    const deny = (error: ApplicationError) => deps.deny(call, ATTEMPT, error);
    const stale = deps.requireFreshMfa(call);
    if (stale !== null) return deny(stale);
    if (sessionIdOf(call.caller) === null && (await deps.signIns.findById(userId)) === null) {
      return deny(SIGNED_IN_ELSEWHERE);
    }
    const sent = await readInput();
    if (!sent.ok) return sent;
    // A missing account counts as one with a password, and its check fails.
    const hasPassword = (await deps.signIns.findById(userId))?.passwordHash !== null;
    const input = parseInput(sent.value, hasPassword);
    if (!input.ok) return input;
    const rate = await deps.rateLimiter.consume(deletionPasswords(userId));
    if (!rate.allowed) return deny(tooManyAttempts(rate));
    if (hasPassword) {
      if (!(await deps.checkPassword(userId, input.value.password))) return deny(INVALID_PASSWORD);
    } else if (!(await deps.hasProvenRecently(call))) return deny(RECENT_SIGN_IN_REQUIRED);
    return submit(deps, call, input.value.reason);
  };
}

interface CheckedInput {
  /** Empty if the person has no password. */
  readonly password: string;
  readonly reason: string | null;
}

function parseInput(
  { password: sent, reason }: SubmitDeletionInput,
  hasPassword: boolean,
): Result<CheckedInput, ApplicationError> {
  const password = hasPassword ? sent : '';
  const text = parseDeletionText('reason', reason);
  if (typeof password === 'string' && text.ok) return ok({ password, reason: text.value });
  const faults = faultsIn({ reason: text });
  if (typeof password !== 'string') faults.unshift(PASSWORD_REQUIRED);
  return err(toValidationError(faults));
}

/** Uses the system scope: users reach their own request whatever their tenant. */
function submit(
  deps: SubmitDeletionDeps,
  call: Call,
  reason: string | null,
): Promise<Result<SubmittedDeletion, ApplicationError>> {
  const { userId } = call.caller;
  return deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const account = await tx.deletions.holdAccount(userId);
    if (account === null) return err(ACCOUNT_GONE);
    const { person, orgId, partnerId } = account;
    const decision = decideDeletion(await tx.deletions.findLatestOf(userId), {
      kind: 'submit',
      id: deps.newId<'deletion-request'>(),
      by: userId,
      orgId,
      partnerId,
      reason,
      at: deps.clock(),
    });
    switch (decision.outcome) {
      case 'refused':
        return deps.deny(call, ATTEMPT, REFUSALS[decision.reason], tx);
      case 'unchanged':
        return ok({ request: decision.request, isNew: false });
      case 'accepted': {
        const { request } = decision;
        await tx.deletions.add(request);
        await mailReviewers(tx, 'deletion-review', request, person);
        await tx.audit(deps.makeEntry(call, decisionFacts(decision)));
        return ok({ request, isNew: true });
      }
    }
  });
}

const ATTEMPT = { action: 'user.account_deletion.requested', resourceId: null } as const;

const PASSWORD_REQUIRED: FieldError = {
  path: 'password',
  code: 'value_required',
  message: 'password is required: enter your password again, as a string',
};

const INVALID_PASSWORD: ApplicationError = {
  code: 'invalid_password',
  detail: 'The password is wrong; no deletion was requested.',
};

/** `status` is unchecked; only `cancelled` is accepted. */
export type CancelDeletion = (
  call: Call,
  id: DeletionRequestId,
  status: unknown,
) => Promise<Result<CancelledRequest, ApplicationError>>;

interface CancelDeletionDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeCancelDeletion(deps: CancelDeletionDeps): CancelDeletion {
  return async (call, id, status) => {
    const attempt = { action: 'user.account_deletion.cancelled', resourceId: id } as const;
    if (call.caller.credential.kind === 'api-key') return deps.deny(call, attempt, SESSION_NEEDED);
    if (status !== 'cancelled') {
      return err(invalidField('status', 'invalid_value', 'status can only be set to "cancelled"'));
    }
    const { userId } = call.caller;
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const state = await tx.deletions.findForUpdate(id);
      const decision = decideDeletion(state, { kind: 'cancel', by: userId, at: deps.clock() });
      if (decision.outcome === 'refused') {
        return deps.deny(call, attempt, REFUSALS[decision.reason], tx);
      }
      await tx.deletions.advance('pending', decision.request);
      await tx.audit(deps.makeEntry(call, decisionFacts(decision)));
      return ok(decision.request);
    });
  };
}

/** `pending` and `latest` are null if the person never made a request. */
export interface OwnDeletion {
  readonly pending: PendingRequest | null;
  readonly latest: DeletionRequest | null;
  /** False for API keys: a leaked key must not tell why its owner leaves. */
  readonly showsReason: boolean;
}

/** GET /auth/account-deletion-request. */
export type ReadOwnDeletion = (call: Call) => Promise<OwnDeletion>;

export function makeReadOwnDeletion(deps: {
  readonly deletionRequests: DeletionRequestReader;
}): ReadOwnDeletion {
  return async ({ caller }) => {
    const latest = await deps.deletionRequests.findLatestOf(caller.userId);
    const showsReason = caller.credential.kind === 'session';
    return { pending: latest?.status === 'pending' ? latest : null, latest, showsReason };
  };
}

/**
 * Reads the body. Called late and at most once, because earlier checks may refuse the call. The adapter
 * defines the error `E`.
 */
export type ReadInput<T, E> = () => Promise<Result<T, E>>;
