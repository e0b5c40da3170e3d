/** What every store of deletion requests promises about reminders: each pending request once, seven days before it is due. */
import type { PendingRequest } from '#domain/deletion/deletion-request.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { createStaff, type PersonName, putRequest, type Staff } from './staff.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

export function testTakeReminder(backend: () => ContractBackend): void {
  const take = (now: EpochMs) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => (await tx.deletions.takeReminder(now))?.id ?? null);

  /** Pending requests, due one minute after the other. First takes what earlier tests left. */
  async function putPending(staff: Staff, ...names: readonly PersonName[]) {
    while ((await take(SOME_INSTANT * 2)) !== null);
    const requests = names.map((name, i): PendingRequest => {
      const { requestedAt, processBy, createdAt, updatedAt } = aPendingRequest({
        requestedAt: SOME_INSTANT + i * MINUTE_MS,
      });
      return staff.requestOf(name, { requestedAt, processBy, createdAt, updatedAt });
    });
    for (const request of requests.toReversed()) await putRequest(backend(), request);
    return requests as [PendingRequest, ...PendingRequest[]];
  }

  describe('DeletionRequestWriter.takeReminder', () => {
    test('takes a request seven days before it is due, not a millisecond earlier, and once', async () => {
      const [request] = await putPending(await createStaff(backend()), 'of A');
      const at = request.processBy - WEEK_MS;
      expect(await take(at - 1)).toBeNull();
      const taken = await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.takeReminder(at));
      expect(taken).toStrictEqual(request);
      expect(await take(at)).toBeNull();
      expect(await take(request.processBy)).toBeNull();
    });

    test('leaves the request as it is', async () => {
      const [request] = await putPending(await createStaff(backend()), 'staff of P');
      expect(await take(request.processBy)).toBe(request.id);
      const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.findForUpdate(request.id));
      expect(found).toStrictEqual(request);
    });

    test.each([
      ['one minute before', -MINUTE_MS],
      ['at the moment when', 0],
      ['long after', 52 * WEEK_MS],
    ])('takes a request that is first seen %s it is due', async (_when, after) => {
      const [request] = await putPending(await createStaff(backend()), 'of A');
      expect(await take(request.processBy + after)).toBe(request.id);
      expect(await take(request.processBy + after)).toBeNull();
    });

    test('takes the one that is due first', async () => {
      const requests = await putPending(await createStaff(backend()), 'of A', 'of B', 'of C');
      const at = (requests[1]?.processBy ?? 0) - WEEK_MS;
      expect([await take(at), await take(at), await take(at)]).toStrictEqual([
        requests[0].id,
        requests[1]?.id,
        null,
      ]);
    });

    test('takes neither approved nor cancelled requests', async () => {
      const staff = await createStaff(backend());
      const [approved, cancelled] = await putPending(staff, 'of A', 'of B');
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const verdict = { at: SOME_INSTANT, by: staff.people.system.id, note: null };
        await tx.deletions.advance('pending', { ...approved, status: 'processing', verdict });
        if (cancelled === undefined) throw new Error('there is no second request');
        await tx.deletions.advance('pending', { ...cancelled, status: 'cancelled', verdict: null });
      });
      expect(await take(approved.processBy * 2)).toBeNull();
    });

    test('gives each of three requests to only one of six concurrent workers', async () => {
      const requests = await putPending(await createStaff(backend()), 'of A', 'of B', 'of C');
      const work = async () => {
        const taken = [];
        for (let id = await take(SOME_INSTANT * 2); id !== null; id = await take(SOME_INSTANT * 2)) {
          taken.push(id);
        }
        return taken;
      };
      const taken = (await Promise.all(Array.from({ length: 6 }, work))).flat();
      expect(taken.toSorted()).toStrictEqual(requests.map(({ id }) => id).toSorted());
    });

    test('gives a request again if the work threw', async () => {
      const [request] = await putPending(await createStaff(backend()), 'of A');
      const failing = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.deletions.takeReminder(request.processBy);
        throw new Error('the work failed');
      });
      await expect(failing).rejects.toThrow('the work failed');
      expect(await take(request.processBy)).toBe(request.id);
    });
  });
}
