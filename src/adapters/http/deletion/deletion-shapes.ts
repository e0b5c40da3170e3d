import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  NAMED_PERSON,
  optionalText,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { DELETION_STATUSES, MAX_DELETION_TEXT_LENGTH } from '#domain/deletion/deletion-request.ts';

const TEXT_LENGTH = `At most ${MAX_DELETION_TEXT_LENGTH} characters after trimming.`;

const MEMBERS = {
  id: id(),
  userId: v.nullable(id('user')),
  orgId: shown(v.nullable(id('organization')), null),
  reason: optionalText('I am moving on'),
  status: v.picklist(DELETION_STATUSES),
  requestedAt: INSTANT,
  processBy: shown(INSTANT, '2026-03-12T08:00:00.000Z', 'The end of the grace period.'),
  processedAt: shown(v.nullable(INSTANT), null),
  processedBy: shown(v.nullable(id('user')), null),
  adminNote: optionalText(null),
  createdAt: INSTANT,
  updatedAt: INSTANT,
};

export const DELETION_REQUEST = v.object(MEMBERS);
export type OwnDeletionRequest = Shape<typeof DELETION_REQUEST>;

const OWN_REQUEST = v.object({
  ...MEMBERS,
  reason: v.exactOptional(shown(MEMBERS.reason, 'I am moving on', 'Absent if the caller uses an API key.')),
});

export const OWN_DELETION = v.object({
  data: v.nullable(OWN_REQUEST),
  latest: v.nullable(OWN_REQUEST),
});
export type OwnDeletion = Shape<typeof OWN_DELETION>;

export const SUBMISSION = v.object({
  password: v.nullish(
    text(
      'correct horse battery',
      'Absent if the person has none, and has signed in within the last five minutes.',
    ),
  ),
  reason: v.nullish(text('I am moving on', TEXT_LENGTH)),
});

export const CANCELLATION = v.object({ status: v.literal('cancelled') });

export const REVIEWED_REQUEST = v.object({
  ...MEMBERS,
  user: shown(
    v.object({ id: id('user'), email: v.nullable(v.string()), name: v.nullable(v.string()) }),
    { id: EXAMPLE_ID.user, email: 'admin@kestrel-lane.example', name: 'Rosalind Moorcroft' },
    'Email and name are null if the person is erased or out of reach.',
  ),
  decider: NAMED_PERSON,
  overdue: v.boolean(),
});
export type DeletionRequest = Shape<typeof REVIEWED_REQUEST>;

export const DELETION_PAGE = v.object({
  data: v.array(REVIEWED_REQUEST),
  total: count(),
  limit: count(50),
  offset: count(0),
});
export type DeletionPage = Shape<typeof DELETION_PAGE>;

export const PENDING_COUNT = v.object({ count: count() });
export type PendingCount = Shape<typeof PENDING_COUNT>;

export const DECISION = v.object({
  action: v.picklist(['approve', 'reject']),
  adminNote: v.nullish(
    text('Your data has been exported.', `For the user; required to reject. ${TEXT_LENGTH}`),
  ),
});
