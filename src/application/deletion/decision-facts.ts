import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { Accepted } from '#domain/deletion/decide-deletion.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';

/** The audited facts of a decision, without any text of the request (Spec: Events; Contract: §8). */
export function decisionFacts({
  request: { id, userId, orgId, partnerId },
  effects,
}: Omit<Accepted<DeletionRequest>, 'outcome'>): Required<ActionFacts> {
  return { action: effects.audit, resourceId: id, orgId, partnerId, details: { userId } };
}
