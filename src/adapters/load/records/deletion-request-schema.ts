/** Contract: §15. */
import * as v from 'valibot';
import {
  DELETION_STATUSES,
  type DeletionRequest,
  type DeletionVerdict,
  parseDeletionText,
  processByOf,
} from '#domain/deletion/deletion-request.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { convertedBy, count, id, instant, kind, members, oneOf, optional, text } from './schema-parts.ts';

const note = (what: string) =>
  v.pipe(
    text,
    v.check((value) => parseDeletionText(what, value).ok, 'must have at most 2,000 characters'),
  );

export const deletionRequestSchema = v.pipe(
  members({
    kind: kind('deletionRequest'),
    id: id<'deletion-request'>(),
    userId: id<'user'>(),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    status: oneOf(DELETION_STATUSES),
    reason: optional(note('reason')),
    requestedAt: instant,
    processedAt: optional(instant),
    processedBy: optional(id<'user'>()),
    adminNote: optional(note('adminNote')),
    createdAt: instant,
    updatedAt: instant,
    erasureFailures: v.nullish(count, 0),
    erasureProblem: optional(text),
    nextErasureAt: optional(instant),
    remindedAt: optional(instant),
  }),
  convertedBy(({ status, reason, processedAt: at, processedBy: by, adminNote, ...rest }) => {
    const { erasureFailures: failures, erasureProblem: problem, nextErasureAt: nextAttemptAt } = rest;
    const { id, kind, remindedAt } = rest;
    const facts = {
      ...{ id, userId: rest.userId, orgId: rest.orgId, partnerId: rest.partnerId },
      ...{ requestedAt: rest.requestedAt, processBy: processByOf(rest.requestedAt) },
      ...{ createdAt: rest.createdAt, updatedAt: rest.updatedAt },
    };
    const verdict = readVerdict(at, by, adminNote);
    const request = verdict.ok ? readRequest({ ...facts, reason }, status, verdict.value) : verdict;
    if (!request.ok) return err([request.error]);
    return ok({ kind, id, request: request.value, failures, problem, nextAttemptAt, remindedAt });
  }),
);

function readVerdict(
  at: DeletionVerdict['at'] | null,
  by: DeletionVerdict['by'] | null,
  adminNote: string | null,
): Result<DeletionVerdict | null, string> {
  if (at !== null && by !== null) return ok({ at, by, note: adminNote });
  if (at !== null || by !== null) return err('must have both processedAt and processedBy, or neither');
  return adminNote === null ? ok(null) : err('must not have adminNote without processedAt and processedBy');
}

type Facts = Omit<Extract<DeletionRequest, { readonly status: 'pending' }>, 'status'>;

function readRequest(
  facts: Facts,
  status: DeletionRequest['status'],
  verdict: DeletionVerdict | null,
): Result<DeletionRequest, string> {
  switch (status) {
    case 'pending':
      return verdict === null
        ? ok({ ...facts, status })
        : err('must not have processedAt while it is pending');
    case 'cancelled':
      return ok({ ...facts, status, verdict });
    case 'processing':
      return verdict === null
        ? err(`must have processedAt and processedBy`)
        : ok({ ...facts, status, verdict });
    case 'completed':
      if (verdict === null) return err('must have processedAt and processedBy');
      if (facts.reason !== null || verdict.note !== null) {
        return err('must not have reason or adminNote once it is completed');
      }
      return ok({ ...facts, status, reason: null, verdict: { ...verdict, note: null } });
  }
}
