/** Records attempts that were denied (Contract: §8): the one place that knows what such an entry holds. */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { type Err, err } from '#domain/result.ts';
import type { ActionFacts, MakeEntry } from './make-entry.ts';

/** What was attempted. */
export interface Attempt extends Pick<ActionFacts, 'action' | 'resourceId' | 'orgId'> {
  /** Why it was denied, where the error's code does not say it best. */
  readonly reason?: string;
}

/**
 * Records the attempt, unless it {@link isOnRecord}, and gives the refusal to return. With a transaction, the entry is committed together with it;
 * without one, it is durable when the promise is fulfilled.
 */
export type Deny = <E extends ApplicationError>(
  call: Call,
  attempt: Attempt,
  error: E,
  tx?: Pick<Transaction, 'audit'>,
) => Promise<Err<E>>;

/** Denials recorded through these. */
export function makeDeny(deps: { readonly makeEntry: MakeEntry; readonly auditLog: AuditLog }): Deny {
  return async (call, { reason, ...facts }, error, tx) => {
    if (isOnRecord(error)) return err(error);
    const entry = { ...deps.makeEntry(call, facts), ...asDenied(reason ?? error.code) };
    await (tx === undefined ? deps.auditLog(entry) : tx.audit(entry));
    return err(error);
  };
}

/** Whether a refusal like it is on record already, so that a flood of attempts does not become one of entries. */
export function isOnRecord(error: ApplicationError): boolean {
  return error.code === 'rate_limited' && error.isRepeated === true;
}

/** What sets the entry of a denied attempt apart. */
export function asDenied(reason: string): Pick<AuditEntry, 'result' | 'details'> {
  return { result: 'denied', details: { reason } };
}
