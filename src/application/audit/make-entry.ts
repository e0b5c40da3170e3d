/** Builds audit entries, so that every use case puts the same facts on record in the same way. */

import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type AuditEntry, actorOf, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import type { OrgId } from '#domain/ids.ts';

/** What the use case knows of its action. */
export interface ActionFacts {
  readonly action: AuditEntry['action'];
  readonly result: AuditEntry['result'];
  readonly resourceId: string | null;
  /** The organization touched; null takes the caller's own, if it has just one. */
  readonly orgId: OrgId | null;
  readonly details?: AuditEntry['details'];
}

export type MakeEntry = (call: Call, facts: ActionFacts) => AuditEntry;

export function makeMakeEntry(deps: { readonly clock: Clock; readonly newId: IdGenerator }): MakeEntry {
  return ({ caller, requestId, ip }, { action, result, resourceId, orgId, details = {} }) => ({
    id: deps.newId<'audit-entry'>(),
    at: deps.clock(),
    actor: actorOf(caller),
    orgId: orgId ?? (caller.scope.kind === 'organization' ? caller.scope.orgId : null),
    partnerId: caller.scope.kind === 'partner' ? caller.scope.partnerId : null,
    action,
    result,
    resourceType: RESOURCE_TYPES[action],
    resourceId,
    details,
    requestId,
    ip,
  });
}
