import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DeletionRequestRow,
  toDeletionRequest,
} from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { FOR_UPDATE } from '#adapters/postgres/transactional/orm.ts';
import type {
  DeletionRequestWriter,
  ErasureFailure,
} from '#application/ports/deletion/deletion-request-store.ts';
import { nextErasureAttempt, type ProcessingRequest } from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export async function claimDueErasure(em: EntityManager, now: EpochMs): Promise<ProcessingRequest | null> {
  await em.flush();
  const [due] = await em.execute<object[]>(CLAIM, [new Date(now), new Date(now)]);
  if (due === undefined) return null;
  const request = toDeletionRequest(em.map(DeletionRequestRow, due));
  return request.status === 'processing' ? request : null;
}

/** Raw SQL, for SKIP LOCKED on two tables. Locking the account prevents new references to it. */
const CLAIM = `
  select r.* from account_deletion_request r join app_user u on u.id = r.user_id
  where r.status = 'processing' and r.process_by <= ?
    and (r.next_erasure_at is null or r.next_erasure_at <= ?)
    and not exists (select 1 from maintenance m where m.owner_id in (r.org_id, r.partner_id))
  order by r.process_by, r.id limit 1
  for update of r, u skip locked`;

export async function setErasureAside(
  em: EntityManager,
  id: DeletionRequestId,
  { problem, failedAt }: ErasureFailure,
): ReturnType<DeletionRequestWriter['setAside']> {
  const row = await em.findOne(DeletionRequestRow, { id, status: 'processing' }, FOR_UPDATE);
  if (row === null) return null;
  const failures = row.erasureFailures + 1;
  const nextAttemptAt = nextErasureAttempt(failures, failedAt);
  row.erasureFailures = failures;
  row.erasureProblem = problem;
  row.nextErasureAt = new Date(nextAttemptAt);
  return { failures, nextAttemptAt };
}
