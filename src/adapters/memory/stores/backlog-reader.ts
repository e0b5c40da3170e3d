import type { World } from '#adapters/memory/tables/world.ts';
import type { BacklogReader } from '#application/ports/backlog-reader.ts';
import { isOverdue } from '#domain/deletion/deletion-request.ts';

export function makeBacklogReader({
  mails,
  deletionRequests,
}: Pick<World, 'mails' | 'deletionRequests'>): BacklogReader {
  return async (now) => {
    const queued = [...mails.values()].filter(({ status }) => status === 'queued');
    const requests = [...deletionRequests.values()].map(({ request }) => request);
    const oldest = queued.reduce(
      (first, { queuedAt }) => Math.min(first, queuedAt),
      Number.POSITIVE_INFINITY,
    );
    return {
      queuedMails: queued.length,
      oldestMailQueuedAt: queued.length === 0 ? null : oldest,
      dueDeletions: requests.filter(({ status, processBy }) => status === 'processing' && processBy <= now)
        .length,
      overdueDeletions: requests.filter((request) => isOverdue(request, now)).length,
    };
  };
}
