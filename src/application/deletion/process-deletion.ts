/** Approves or rejects a request (POST /admin/account-deletion-requests/:id/process; Contract: §7). */
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  DELETION_REQUEST_NOT_FOUND,
  faultsIn,
  toValidationError,
} from '#application/application-error.ts';
import type { ActionFacts, Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import { refuseLeaving } from '#application/people/rights-refusals.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { RequestForReview } from '#application/ports/deletion/deletion-request-store.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import {
  type CancelledRequest,
  type DeletionRequest,
  type ProcessingRequest,
  parseDeletionText,
  verdictOf,
} from '#domain/deletion/deletion-request.ts';
import {
  type Accepted,
  type ApproveDeletion,
  type DeletionDecisions,
  decideDeletion,
  type Refused,
  type RejectDeletion,
} from '#domain/deletion/deletion-transitions.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { ReadInput } from './own-deletion.ts';

type ReasonOf<D> = D extends Refused<infer Reason> ? Reason : never;
type Refusal = ReasonOf<DeletionDecisions['submit' | 'cancel' | 'approve' | 'reject']>;

export const REFUSALS: Readonly<Record<Refusal, ApplicationError>> = {
  'not-found': DELETION_REQUEST_NOT_FOUND,
  'not-pending': {
    code: 'conflict',
    detail: 'The request is no longer pending: it has been cancelled or decided.',
  },
  'already-approved': {
    code: 'deletion_already_approved',
    detail: 'The deletion of your account has already been approved and will be carried out.',
  },
  'note-required': {
    code: 'admin_note_required',
    detail: 'adminNote is required to reject a request; the user receives it.',
  },
};

export interface ProcessDeletionInput {
  readonly action: unknown;
  readonly adminNote: unknown;
}

/** Checks in this order: permission, MFA, body, request. */
export type ProcessDeletion = <E>(
  call: Call,
  id: DeletionRequestId,
  readInput: ReadInput<ProcessDeletionInput, E>,
) => Promise<Result<RequestForReview, ApplicationError | E>>;

interface ProcessDeletionDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

type Verdict = Pick<ApproveDeletion | RejectDeletion, 'kind' | 'note'>;

export function makeProcessDeletion(deps: ProcessDeletionDeps): ProcessDeletion {
  return async (call, id, readInput) => {
    const refusal = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
    const sent = await readInput();
    if (refusal !== null) {
      const kind = sent.ok && sent.value.action === 'reject' ? 'reject' : 'approve';
      return deps.deny(call, attemptOf(kind, id), refusal);
    }
    if (!sent.ok) return sent;
    const verdict = parseVerdict(sent.value);
    return verdict.ok ? process(deps, call, id, verdict.value) : verdict;
  };
}

function parseVerdict({ action, adminNote }: ProcessDeletionInput): Result<Verdict, ApplicationError> {
  const kind = parseAction(action);
  const note = parseDeletionText('adminNote', adminNote);
  if (!kind.ok || !note.ok) return err(toValidationError(faultsIn({ action: kind, adminNote: note })));
  if (kind.value === 'reject' && note.value === null) return err(REFUSALS['note-required']);
  return ok({ kind: kind.value, note: note.value });
}

function parseAction(action: unknown): Result<Verdict['kind'], string> {
  return action === 'approve' || action === 'reject'
    ? ok(action)
    : err('action must be "approve" or "reject"');
}

function process(
  deps: ProcessDeletionDeps,
  call: Call,
  id: DeletionRequestId,
  { kind, note }: Verdict,
): Promise<Result<RequestForReview, ApplicationError>> {
  const { scope, userId: by } = call.caller;
  return deps.unitOfWork(scope, async (tx) => {
    const state = await tx.deletions.findForUpdate(id);
    const decision = decideDeletion(state, { kind, by, note, at: deps.clock() });
    if (decision.outcome === 'refused') {
      const refusal = await refusalOf(tx, state, decision.reason);
      return deps.deny(call, attemptOf(kind, id), refusal, tx);
    }
    const { request } = decision;
    const last = kind === 'approve' ? await refuseLeaving(tx, request.userId) : null;
    if (last !== null) return deps.deny(call, attemptOf(kind, id), last, tx);
    await tx.deletions.advance('pending', request);
    const person = await tx.deletions.findPerson(request.userId);
    if (person !== null) await queueVerdictMail(tx, request, person);
    await tx.audit(deps.makeEntry(call, decisionFacts(decision)));
    const { email = null, name = null } = person ?? {};
    const deciderName = (await tx.deletions.findPerson(by))?.name ?? null;
    return ok({ request, user: { id: request.userId, email, name }, deciderName });
  });
}

/** Tells the slower of two administrators who decided and when. No name appears if the decider is out of reach. */
async function refusalOf(
  tx: Transaction,
  state: DeletionRequest | null,
  reason: keyof typeof REFUSALS,
): Promise<ApplicationError> {
  const refusal = REFUSALS[reason];
  const verdict = reason === 'not-pending' && state !== null ? verdictOf(state) : null;
  if (verdict === null) return refusal;
  const who = (await tx.deletions.findPerson(verdict.by))?.name ?? 'another administrator';
  const did = state?.status === 'cancelled' ? 'rejected' : 'approved';
  const [day, time = ''] = new Date(verdict.at).toISOString().split('T');
  const detail = `The request is no longer pending: ${who} ${did} it on ${day} at ${time.slice(0, 5)} UTC.`;
  return { ...refusal, detail };
}

async function queueVerdictMail(
  tx: Transaction,
  request: ProcessingRequest | CancelledRequest,
  to: MailRecipient,
): Promise<void> {
  const { id: requestId, requestedAt, processBy } = request;
  if (request.status === 'processing') {
    const facts = { requestedAt, deletionAt: Math.max(processBy, request.verdict.at) };
    await tx.mail({ kind: 'deletion-approved', requestId, to, facts });
  } else {
    const facts = { requestedAt, adminNote: request.verdict?.note ?? '' };
    await tx.mail({ kind: 'deletion-rejected', requestId, to, facts });
  }
}

const ACTIONS = {
  approve: 'user.account_deletion.approved',
  reject: 'user.account_deletion.rejected',
} as const satisfies Record<Verdict['kind'], AuditAction>;

function attemptOf(kind: Verdict['kind'], id: DeletionRequestId): Attempt {
  return { action: ACTIONS[kind], resourceId: id };
}

/** The facts contain no text of the request (Spec: Events; Contract: §8). */
export function decisionFacts({
  request: { id, userId, orgId, partnerId },
  effects,
}: Omit<Accepted<DeletionRequest>, 'outcome'>): Required<ActionFacts> {
  return { action: effects.audit, resourceId: id, orgId, partnerId, details: { userId } };
}
