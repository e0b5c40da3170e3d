/** GET /admin/audit-log (Contract: §8). */
import { makeNarrowReach, type NarrowReachDeps } from '#application/access/narrow-reach.ts';
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toPage } from '#application/page.ts';
import type { AuditPosition, AuditQuery, AuditReader } from '#application/ports/audit/audit-reader.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import { type NameReader, nameKey, type ThingReference } from '#application/ports/names.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';

/** Names are current ones, and null if the thing is gone, erased or nameless. */
export interface NamedEntry extends AuditEntry {
  readonly actorName: string | null;
  /** Also null if the thing is out of reach. */
  readonly resourceName: string | null;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly NamedEntry[];
  readonly next: AuditPosition | null;
}

export interface AuditLogQuery extends Omit<AuditQuery, 'actorIds'> {
  readonly actorId: string | null;
  /** Only entries by people in reach whose name or email contains this text. */
  readonly actor: string | null;
}

/** Needs users:write, else `forbidden`. `not_found` if the organization is unknown or out of reach. */
export type ReadAuditLog = (call: Call, query: AuditLogQuery) => Promise<Result<AuditPage, ApplicationError>>;

export interface ReadAuditLogDeps extends NarrowReachDeps {
  readonly readAuditEntries: AuditReader;
  readonly deletionRequests: DeletionRequestReader;
  readonly names: NameReader;
}

export function makeReadAuditLog(deps: ReadAuditLogDeps): ReadAuditLog {
  const narrowReach = makeNarrowReach(deps);
  return async (call, { actor, actorId, ...query }) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const narrowed = await narrowReach(call, query.orgId);
    if (!narrowed.ok) return narrowed;
    const { scope } = call.caller;
    const people = actor === null ? null : await deps.names.findPeople(scope, foldCase(actor));
    const actorIds =
      actorId === null ? people : [actorId].filter((id) => people?.includes(id as UserId) ?? true);
    const found = await deps.readAuditEntries(scope, { ...query, actorIds, limit: query.limit + 1 });
    const { items, next } = toPage(found, query.limit, ({ at, id }) => ({ at, id }));
    const entries = await withNotes(deps, call, items);
    // Who may read an entry may know who acted, so only the entries limit the names of actors.
    const nameActor = await namerOf(deps, SYSTEM_SCOPE, entries.map(actorOfEntry));
    // Names come from the caller's whole reach, even if the log is narrowed to one organization.
    const nameResource = await namerOf(deps, scope, entries.map(resourceOf));
    return ok({
      entries: entries.map((entry) => ({
        ...entry,
        actorName: nameActor(actorOfEntry(entry)),
        resourceName: nameResource(resourceOf(entry)),
      })),
      next,
    });
  };
}

async function namerOf(
  { names }: ReadAuditLogDeps,
  scope: AccessScope,
  things: readonly (ThingReference | null)[],
) {
  const known = await names.namesOf(
    scope,
    things.filter((thing) => thing !== null),
  );
  return (thing: ThingReference | null) => (thing && known.get(nameKey(thing))) ?? null;
}

function actorOfEntry({ actor: { type, id } }: AuditEntry): ThingReference | null {
  return id === null ? null : { kind: type, id };
}

function resourceOf({ resourceType, resourceId }: AuditEntry): ThingReference | null {
  return resourceId === null ? null : { kind: resourceType, id: resourceId };
}

const VERDICTS: ReadonlySet<AuditAction> = new Set([
  'user.account_deletion.approved',
  'user.account_deletion.rejected',
]);

/**
 * Adds the notes of deletion decisions. Permanent entries do not contain notes, which must be erased with the account.
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
