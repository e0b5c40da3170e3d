/** The state machine's refusals as errors. */
import { type ApplicationError, DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { DeletionDecisions, Refused } from '#domain/deletion/decide-deletion.ts';

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
