/** Builds audit entries, so that every use case records the same facts in the same way. */
import type { Call, Visit } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type AuditEntry, actorOf, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';

/** What the use case knows of its action. */
export interface ActionFacts {
  readonly action: AuditEntry['action'];
  readonly resourceId: string | null;
  /** The organization touched; absent or null takes the caller's own, if it has just one. */
  readonly orgId?: OrgId | null;
  /** The partner whose own staff it is about; absent or null takes the caller's own, if it acts for one. */
  readonly partnerId?: PartnerId | null;
  readonly details?: AuditEntry['details'];
}

/** The entry of what a caller did. */
export type MakeEntry = (call: Call, facts: ActionFacts) => AuditEntry;

/** Gives every entry a new id and the time of the clock. */
export function makeEntryFactory(deps: { readonly clock: Clock; readonly newId: IdGenerator }): MakeEntry {
  return ({ caller, requestId, ip }, { action, resourceId, orgId, partnerId, details = {} }) => ({
    id: deps.newId<'audit-entry'>(),
    at: deps.clock(),
    actor: actorOf(caller),
    orgId: orgId ?? (caller.scope.kind === 'organization' ? caller.scope.orgId : null),
    partnerId: partnerId ?? (caller.scope.kind === 'partner' ? caller.scope.partnerId : null),
    action,
    result: 'success',
    resourceType: RESOURCE_TYPES[action],
    resourceId,
    details,
    requestId,
    ip,
  });
}

/** The entry of what nobody's account did, but somebody outside: the actor is the service. */
export type MakeVisitEntry = (visit: Visit, facts: Required<ActionFacts>) => AuditEntry;

/** Gives every entry a new id and the time of the clock. */
export function makeVisitEntryFactory(deps: {
  readonly clock: Clock;
  readonly newId: IdGenerator;
}): MakeVisitEntry {
  const makeEntry = makeSystemEntryFactory(deps);
  return ({ requestId, ip }, facts) => ({ ...makeEntry(facts), requestId, ip });
}

/** The entry of what the service did by itself, without a caller. */
export type MakeSystemEntry = (facts: Required<ActionFacts>) => AuditEntry;

/** Gives every entry a new id and the time of the clock. */
export function makeSystemEntryFactory(deps: {
  readonly clock: Clock;
  readonly newId: IdGenerator;
}): MakeSystemEntry {
  return (facts) => {
    const id = deps.newId<'audit-entry'>();
    return {
      ...facts,
      id,
      at: deps.clock(),
      actor: { type: 'system', id: null },
      result: 'success',
      resourceType: RESOURCE_TYPES[facts.action],
      // There was no request; the entry is found by its own id.
      requestId: id,
      ip: null,
    };
  };
}
