/** Reads the audit log of the tenants in reach (GET /admin/audit-log; Contract: §8). */
import { makeNarrowReach, type NarrowReachDeps } from '#application/access/narrow-reach.ts';
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toPage } from '#application/page.ts';
import type { AuditPosition, AuditQuery, AuditReader } from '#application/ports/audit/audit-reader.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { DeletionRequestId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Null on the last page. */
  readonly next: AuditPosition | null;
}

/** `orgId` null means all organizations in reach. */
export interface AuditLogQuery extends AuditQuery {
  readonly orgId: OrgId | null;
}

/** Needs users:write, else `forbidden`. `not_found` if the organization is unknown or out of reach. */
export type ReadAuditLog = (call: Call, query: AuditLogQuery) => Promise<Result<AuditPage, ApplicationError>>;

export interface ReadAuditLogDeps extends NarrowReachDeps {
  readonly readAuditEntries: AuditReader;
  readonly deletionRequests: DeletionRequestReader;
}

export function makeReadAuditLog(deps: ReadAuditLogDeps): ReadAuditLog {
  const narrowReach = makeNarrowReach(deps);
  return async (call, { orgId, ...query }) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const found = await deps.readAuditEntries(scope.value, { ...query, limit: query.limit + 1 });
    const { items, next } = toPage(found, query.limit, ({ at, id }) => ({ at, id }));
    return ok({ entries: await withNotes(deps, call, items), next });
  };
}

const VERDICTS: ReadonlySet<AuditAction> = new Set([
  'user.account_deletion.approved',
  'user.account_deletion.rejected',
]);

/**
 * Adds the note to each decision's entry. Notes are stored with the request, because entries are permanent and notes
 * are erased with the account.
 */
async function withNotes(
  { deletionRequests }: ReadAuditLogDeps,
  { caller }: Call,
  entries: readonly AuditEntry[],
): Promise<readonly AuditEntry[]> {
  const verdicts = entries.filter(({ action, result }) => result === 'success' && VERDICTS.has(action));
  if (verdicts.length === 0) return entries;
  const ids = verdicts.flatMap(({ resourceId }) =>
    resourceId === null ? [] : [resourceId as DeletionRequestId],
  );
  const notes = await deletionRequests.findNotes(caller.scope, ids);
  const isVerdict = new Set(verdicts);
  return entries.map((entry) =>
    isVerdict.has(entry)
      ? {
          ...entry,
          details: { ...entry.details, note: notes.get(entry.resourceId as DeletionRequestId) ?? null },
        }
      : entry,
  );
}
