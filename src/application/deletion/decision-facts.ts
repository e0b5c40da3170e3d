/** What the audit log keeps of a decision about a deletion request (Spec: Events; Contract: §8). */
import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { Accepted } from '#domain/deletion/decide-deletion.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';

/** The facts of its entry: whose account it is about and where that belongs, without any text of the request. */
export function decisionFacts({
  request: { id, userId, orgId, partnerId },
  effects,
}: Omit<Accepted<DeletionRequest>, 'outcome'>): Required<ActionFacts> {
  return { action: effects.audit, resourceId: id, orgId, partnerId, details: { userId } };
}
