/** An administrator's decision (Spec: POST /admin/account-deletion-requests/:id/process; Contract: §7). */
import { refuseWithoutUsersWrite } from '#application/access/refuse-without-users-write.ts';
import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/require-fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { RequestForReview } from '#application/ports/deletion/deletion-request-store.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type ApproveDeletion,
  decideDeletion,
  type RejectDeletion,
} from '#domain/deletion/decide-deletion.ts';
import {
  type CancelledRequest,
  type ProcessingRequest,
  parseDeletionText,
} from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { ReadInput } from './read-input.ts';
import { REFUSALS } from './refusals.ts';

/** As sent; nothing is checked yet. */
export interface ProcessDeletionInput {
  readonly action: unknown;
  readonly adminNote: unknown;
}

/** The permission, MFA and the body are checked in this order, then the request is looked at. */
export type ProcessDeletion = <E>(
  call: Call,
  id: DeletionRequestId,
  readInput: ReadInput<ProcessDeletionInput, E>,
) => Promise<Result<RequestForReview, ApplicationError | E>>;

export interface ProcessDeletionDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly clock: Clock;
}

type Verdict = Pick<ApproveDeletion | RejectDeletion, 'kind' | 'note'>;

export function makeProcessDeletion(deps: ProcessDeletionDeps): ProcessDeletion {
  return async (call, id, readInput) => {
    const refusal = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
    const sent = await readInput();
    if (refusal !== null) {
      const kind = sent.ok && sent.value.action === 'reject' ? 'reject' : 'approve';
      await deps.auditLog(denial(deps, call, id, kind, refusal));
      return err(refusal);
    }
    if (!sent.ok) return sent;
    const verdict = parseVerdict(sent.value);
    return verdict.ok ? process(deps, call, id, verdict.value) : verdict;
  };
}

function parseVerdict({ action, adminNote }: ProcessDeletionInput): Result<Verdict, ApplicationError> {
  const note = parseDeletionText('adminNote', adminNote);
  if ((action === 'approve' || action === 'reject') && note.ok) {
    if (action === 'reject' && note.value === null) return err(REFUSALS['note-required']);
    return ok({ kind: action, note: note.value });
  }
  const faults: FieldError[] = [];
  if (action !== 'approve' && action !== 'reject') {
    faults.push({ path: 'action', code: 'invalid_value', message: 'action must be "approve" or "reject"' });
  }
  if (!note.ok) faults.push({ path: 'adminNote', code: 'invalid_value', message: note.error });
  return err(toValidationError(faults));
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
      const error = REFUSALS[decision.reason];
      await tx.audit(denial(deps, call, id, kind, error));
      return err(error);
    }
    const { request, effects } = decision;
    await tx.deletions.advance('pending', request);
    const person = await tx.deletions.findPerson(request.userId);
    if (person !== null) await queueVerdictMail(tx, request, person);
    await tx.audit(
      deps.makeEntry(call, {
        action: effects.audit,
        result: 'success',
        resourceId: id,
        orgId: request.orgId,
        partnerId: request.partnerId,
        details: { userId: request.userId },
      }),
    );
    const { email = null, name = null } = person ?? {};
    return ok({ request, user: { id: request.userId, email, name } });
  });
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

function denial(
  { makeEntry }: Pick<ProcessDeletionDeps, 'makeEntry'>,
  call: Call,
  id: DeletionRequestId,
  kind: Verdict['kind'],
  error: ApplicationError,
) {
  return makeEntry(call, {
    action: kind === 'approve' ? 'user.account_deletion.approved' : 'user.account_deletion.rejected',
    result: 'denied',
    resourceId: id,
    orgId: null,
    details: { reason: error.code },
  });
}
