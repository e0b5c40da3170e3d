/** Enrolment keys as JSON text, field by field (Contract: §13). */
import type { CreatedEnrolmentKey } from '#application/enrolment/enrolment-use-cases.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { printInstant, printInstantOrNull } from '#domain/text/print-instant.ts';

/** The only answer that contains the key itself. */
export function presentEnrolmentKey({ summary, key }: CreatedEnrolmentKey): string {
  return JSON.stringify({ ...toBody(summary), key });
}

/** `{data}`. */
export function presentEnrolmentKeys(keys: readonly EnrolmentKey[]): string {
  return JSON.stringify({ data: keys.map(toBody) });
}

function toBody({ id, orgId, siteId, name, expiresAt, createdAt }: EnrolmentKey): object {
  return {
    id,
    orgId,
    siteId,
    name,
    expiresAt: printInstantOrNull(expiresAt),
    createdAt: printInstant(createdAt),
  };
}
