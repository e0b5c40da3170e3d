/** What audit entries say of an enrolment key. Not its name: it may contain personal data, and entries are permanent. */
import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';

export function keyFacts({
  id,
  orgId,
  siteId,
}: EnrolmentKey): Required<Pick<ActionFacts, 'resourceId' | 'details'>> & Pick<EnrolmentKey, 'orgId'> {
  return { resourceId: id, orgId, details: { siteId } };
}
