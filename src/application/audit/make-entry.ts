import type { ApplicationError } from '#application/application-error.ts';
import type { Call, Visit } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { type AuditEntry, actorOf, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { type Err, err } from '#domain/result.ts';

export interface ActionFacts {
  readonly action: AuditEntry['action'];
  readonly resourceId: string | null;
  /** Default: the organization of an organization-scoped caller. */
  readonly orgId?: OrgId | null;
  /** Default: the partner of a partner-scoped caller. */
  readonly partnerId?: PartnerId | null;
  readonly details?: AuditEntry['details'];
}

/** Makes the entry for what a caller did. */
export type MakeEntry = (call: Call, facts: ActionFacts) => AuditEntry;

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

/** Makes the entry for a visitor without an account. The actor is the service. */
export type MakeVisitEntry = (visit: Visit, facts: Required<ActionFacts>) => AuditEntry;

export function makeVisitEntryFactory(deps: {
  readonly clock: Clock;
  readonly newId: IdGenerator;
}): MakeVisitEntry {
  const makeEntry = makeSystemEntryFactory(deps);
  return ({ requestId, ip }, facts) => ({ ...makeEntry(facts), requestId, ip });
}

/** Makes the entry for an action of the service itself. */
export type MakeSystemEntry = (facts: Required<ActionFacts>) => AuditEntry;

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
      // There is no request, so the entry's id stands in.
      requestId: id,
      ip: null,
    };
  };
}

// Attempts that are denied are recorded (Contract: §8).

export interface Attempt extends Pick<ActionFacts, 'action' | 'resourceId' | 'orgId'> {
  /** Recorded instead of the error's code where the code says too little. */
  readonly reason?: string;
}

/**
 * Records the denied attempt if {@link isOnRecord} is false, and returns the error. With `tx`, the entry
 * commits with that transaction. Without `tx`, it is durable once the promise resolves.
 */
export type Deny = <E extends ApplicationError>(
  call: Call,
  attempt: Attempt,
  error: E,
  tx?: Pick<Transaction, 'audit'>,
) => Promise<Err<E>>;

export function makeDeny(deps: { readonly makeEntry: MakeEntry; readonly auditLog: AuditLog }): Deny {
  return async (call, { reason, ...facts }, error, tx) => {
    if (isOnRecord(error)) return err(error);
    const entry = { ...deps.makeEntry(call, facts), ...asDenied(reason ?? error.code) };
    await (tx === undefined ? deps.auditLog(entry) : tx.audit(entry));
    return err(error);
  };
}

/** True for repeated refusals, so a flood of attempts does not fill the log. */
export function isOnRecord(error: ApplicationError): boolean {
  return error.code === 'rate_limited' && error.isRepeated === true;
}

export function asDenied(reason: string): Pick<AuditEntry, 'result' | 'details'> {
  return { result: 'denied', details: { reason } };
}
