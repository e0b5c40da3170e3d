/**
 * The state machine of account deletion (Spec: States and transitions; Contract: §7). Time, ids and users come with
 * the command.
 */
import type { Attribution } from '#domain/access/ownership.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import type { MailKind } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';
import {
  type CancelledRequest,
  type CompletedRequest,
  type DeletionRequest,
  type PendingRequest,
  type ProcessingRequest,
  processByOf,
} from './deletion-request.ts';

/** Password and MFA are already verified. */
export interface SubmitDeletion extends Attribution {
  readonly kind: 'submit';
  readonly id: DeletionRequestId;
  readonly by: UserId;
  readonly reason: string | null;
  readonly at: EpochMs;
}

export interface CancelDeletion {
  readonly kind: 'cancel';
  readonly by: UserId;
  readonly at: EpochMs;
}

/** The administrator `by` has users:write, reaches the request and has passed MFA. */
export interface ReviewDeletion<Verdict extends 'approve' | 'reject'> {
  readonly kind: Verdict;
  readonly by: UserId;
  readonly note: string | null;
  readonly at: EpochMs;
}

export type ApproveDeletion = ReviewDeletion<'approve'>;
export type RejectDeletion = ReviewDeletion<'reject'>;

/** The account is erased in the same transaction. */
export interface CompleteDeletion {
  readonly kind: 'complete';
  readonly at: EpochMs;
}

export type DeletionCommand =
  | SubmitDeletion
  | CancelDeletion
  | ApproveDeletion
  | RejectDeletion
  | CompleteDeletion;

/** What must be audited and mailed together with the new state. */
export interface DeletionEffects {
  readonly audit: AuditAction & `user.account_deletion.${string}`;
  readonly mail: MailKind | null;
}

export interface Accepted<R extends DeletionRequest> {
  readonly outcome: 'accepted';
  readonly request: R;
  readonly effects: DeletionEffects;
}

export interface Unchanged<R extends DeletionRequest> {
  readonly outcome: 'unchanged';
  readonly request: R;
}

export interface Refused<Reason extends string> {
  readonly outcome: 'refused';
  readonly reason: Reason;
}

/** `cancel` answers `not-found` for a request of another user. */
export interface DeletionDecisions {
  readonly submit: Accepted<PendingRequest> | Unchanged<PendingRequest> | Refused<'already-approved'>;
  readonly cancel: Accepted<CancelledRequest> | Refused<'not-found' | 'not-pending'>;
  readonly approve: Accepted<ProcessingRequest> | Refused<'not-found' | 'not-pending'>;
  readonly reject: Accepted<CancelledRequest> | Refused<'not-found' | 'note-required' | 'not-pending'>;
  readonly complete: Accepted<CompletedRequest> | Refused<'not-found' | 'not-approved' | 'too-early'>;
}

/** `state` is the request; for `submit`, the user's open request. */
export function decideDeletion<C extends DeletionCommand>(
  state: DeletionRequest | null,
  command: C,
): DeletionDecisions[C['kind']];
export function decideDeletion(
  state: DeletionRequest | null,
  command: DeletionCommand,
): DeletionDecisions[DeletionCommand['kind']] {
  switch (command.kind) {
    case 'submit':
      return submit(state, command);
    case 'cancel':
      return cancel(state, command);
    case 'approve':
      return approve(state, command);
    case 'reject':
      return reject(state, command);
    case 'complete':
      return complete(state, command);
  }
}

function submit(state: DeletionRequest | null, command: SubmitDeletion): DeletionDecisions['submit'] {
  if (state?.status === 'pending') return { outcome: 'unchanged', request: state };
  if (state?.status === 'processing') return refused('already-approved');
  const { id, by, orgId, partnerId, reason, at } = command;
  const request: PendingRequest = {
    id,
    userId: by,
    orgId,
    partnerId,
    reason,
    status: 'pending',
    requestedAt: at,
    processBy: processByOf(at),
    createdAt: at,
    updatedAt: at,
  };
  return accepted(request, { audit: 'user.account_deletion.requested', mail: 'deletion-review' });
}

function cancel(state: DeletionRequest | null, { by, at }: CancelDeletion): DeletionDecisions['cancel'] {
  if (state === null || state.userId !== by) return refused('not-found');
  if (state.status !== 'pending') return refused('not-pending');
  const request: CancelledRequest = { ...state, ...moved(state, at), status: 'cancelled', verdict: null };
  return accepted(request, { audit: 'user.account_deletion.cancelled', mail: null });
}

function approve(
  state: DeletionRequest | null,
  { by, note, at }: ApproveDeletion,
): DeletionDecisions['approve'] {
  if (state === null) return refused('not-found');
  if (state.status !== 'pending') return refused('not-pending');
  const request: ProcessingRequest = {
    ...state,
    ...moved(state, at),
    status: 'processing',
    verdict: { at, by, note },
  };
  return accepted(request, { audit: 'user.account_deletion.approved', mail: 'deletion-approved' });
}

function reject(
  state: DeletionRequest | null,
  { by, note, at }: RejectDeletion,
): DeletionDecisions['reject'] {
  if (state === null) return refused('not-found');
  if (note === null) return refused('note-required');
  if (state.status !== 'pending') return refused('not-pending');
  const request: CancelledRequest = {
    ...state,
    ...moved(state, at),
    status: 'cancelled',
    verdict: { at, by, note },
  };
  return accepted(request, { audit: 'user.account_deletion.rejected', mail: 'deletion-rejected' });
}

function complete(state: DeletionRequest | null, { at }: CompleteDeletion): DeletionDecisions['complete'] {
  if (state === null) return refused('not-found');
  if (state.status !== 'processing') return refused('not-approved');
  if (at < state.processBy) return refused('too-early');
  const request: CompletedRequest = {
    ...state,
    ...moved(state, at),
    status: 'completed',
    // Texts about the person are erased with the account.
    reason: null,
    verdict: { ...state.verdict, note: null },
  };
  return accepted(request, { audit: 'user.account_deletion.completed', mail: 'deletion-completed' });
}

/** `updatedAt` never decreases, even if the clock does. */
function moved({ updatedAt }: DeletionRequest, at: EpochMs): { readonly updatedAt: EpochMs } {
  return { updatedAt: Math.max(at, updatedAt) };
}

function accepted<R extends DeletionRequest>(request: R, effects: DeletionEffects): Accepted<R> {
  return { outcome: 'accepted', request, effects };
}

function refused<Reason extends string>(reason: Reason): Refused<Reason> {
  return { outcome: 'refused', reason };
}
