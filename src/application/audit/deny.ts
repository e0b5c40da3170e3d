/** Records denied attempts (Contract: §8). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { type Err, err } from '#domain/result.ts';
import type { ActionFacts, MakeEntry } from './make-entry.ts';

export interface Attempt extends Pick<ActionFacts, 'action' | 'resourceId' | 'orgId'> {
  /** The reason for the log, if the error's code is too coarse. */
  readonly reason?: string;
}

/**
 * Records the attempt, unless it {@link isOnRecord}, and returns the refusal. With a transaction, the entry commits
 * with it; without one, it is durable once the promise resolves.
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

/** Whether a similar refusal is already recorded. A flood of attempts must not fill the log. */
export function isOnRecord(error: ApplicationError): boolean {
  return error.code === 'rate_limited' && error.isRepeated === true;
}

export function asDenied(reason: string): Pick<AuditEntry, 'result' | 'details'> {
  return { result: 'denied', details: { reason } };
}
