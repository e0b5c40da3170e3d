/** What every store of deletion requests promises to the back office: each due request once, failures set aside. */
import type {
  CompletedRequest,
  DeletionRequest,
  ProcessingRequest,
} from '#domain/deletion/deletion-request.ts';
import { nextErasureAttempt } from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { createStaff, type PersonName, putRequest, type Staff } from './staff.ts';

const MINUTE_MS = 60_000;

export function testClaimDue(backend: () => ContractBackend): void {
  const claim = (now: EpochMs) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => (await tx.deletions.claimDue(now))?.id ?? null);

  /** Claims and completes. */
  const finish = (now: EpochMs) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const claimed = await tx.deletions.claimDue(now);
      if (claimed === null) return null;
      const verdict = { ...claimed.verdict, note: null };
      await tx.deletions.advance('processing', { ...claimed, status: 'completed', reason: null, verdict });
      return claimed.id;
    });

  const setAside = (id: DeletionRequestId, failedAt: EpochMs) =>
    backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.deletions.setAside(id, { problem: 'Error (XX000)', failedAt }),
    );

  /** Approved requests, due one minute after the other; what earlier tests left due is finished first. */
  async function putApproved(
    staff: Staff,
    ...names: readonly PersonName[]
  ): Promise<readonly ProcessingRequest[]> {
    while ((await finish(SOME_INSTANT * 2)) !== null);
    const by = newVerdictBy(staff);
    const requests = names.map((name, i): ProcessingRequest => {
      const pending = staff.requestOf(name, timesOf(SOME_INSTANT + i * MINUTE_MS));
      return {
        ...pending,
        status: 'processing',
        verdict: { at: pending.requestedAt, by: by(name), note: null },
      };
    });
    for (const request of requests.toReversed()) await putRequest(backend(), request);
    return requests;
  }

  function timesOf(requestedAt: EpochMs) {
    const { processBy, createdAt, updatedAt } = aPendingRequest({ requestedAt });
    return { requestedAt, processBy, createdAt, updatedAt };
  }

  function completedOf(staff: Staff, name: PersonName): CompletedRequest {
    const pending = staff.requestOf(name);
    const verdict = { at: pending.requestedAt, by: newVerdictBy(staff)(name), note: null };
    return { ...pending, status: 'completed', reason: null, verdict };
  }

  function newVerdictBy({ people }: Staff) {
    return (name: PersonName) => (name === 'system' ? people['of A'].id : people.system.id);
  }

  describe('DeletionRequestWriter.claimDue', () => {
    test('takes no request before it is due, and the one that has been due longest first', async () => {
      const staff = await createStaff(backend());
      const [first, second] = await putApproved(staff, 'of A', 'of B');
      const due = first?.processBy ?? 0;
      expect(await claim(due - 1)).toBeNull();
      expect(await claim(due)).toBe(first?.id);
      expect(await claim(due + MINUTE_MS)).toBe(first?.id);
      expect(await finish(due + MINUTE_MS)).toBe(first?.id);
      expect(await claim(due + MINUTE_MS - 1)).toBeNull();
      expect(await finish(due + MINUTE_MS)).toBe(second?.id);
      expect(await finish(due + MINUTE_MS)).toBeNull();
    });

    test('gives the request unchanged', async () => {
      const staff = await createStaff(backend());
      const [request] = await putApproved(staff, 'staff of P');
      const claimed = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
        tx.deletions.claimDue(request?.processBy ?? 0),
      );
      expect(claimed).toStrictEqual(request);
    });

    test('takes neither pending nor cancelled nor completed requests', async () => {
      const staff = await createStaff(backend());
      await putApproved(staff);
      const pending = staff.requestOf('of A');
      const cancelled: DeletionRequest = { ...staff.requestOf('of B'), status: 'cancelled', verdict: null };
      await putRequest(backend(), pending);
      await putRequest(backend(), cancelled);
      await putRequest(backend(), completedOf(staff, 'of C'));
      expect(await claim(pending.processBy + MINUTE_MS)).toBeNull();
    });

    test('gives each of three requests to only one of six concurrent workers', async () => {
      const staff = await createStaff(backend());
      const requests = await putApproved(staff, 'of A', 'of B', 'of C');
      const now = (requests[2]?.processBy ?? 0) + 1;
      const work = async () => {
        const done = [];
        for (let id = await finish(now); id !== null; id = await finish(now)) done.push(id);
        return done;
      };
      const done = (await Promise.all(Array.from({ length: 6 }, work))).flat();
      expect(done.toSorted()).toStrictEqual(requests.map(({ id }) => id).toSorted());
    });

    test('gives a request again if the work threw', async () => {
      const staff = await createStaff(backend());
      const [request] = await putApproved(staff, 'of A');
      const now = request?.processBy ?? 0;
      const failing = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.deletions.claimDue(now);
        throw new Error('the work failed');
      });
      await expect(failing).rejects.toThrow('the work failed');
      expect(await claim(now)).toBe(request?.id);
    });
  });

  describe('DeletionRequestWriter.setAside', () => {
    test('holds a request back for longer each time, and no other request', async () => {
      const staff = await createStaff(backend());
      const [poison, other] = await putApproved(staff, 'of A', 'of B');
      const id = poison?.id ?? newId();
      let now = other?.processBy ?? 0;
      for (let failures = 1; failures <= 6; failures++) {
        expect(await claim(now)).toBe(id);
        const nextAttemptAt = nextErasureAttempt(failures, now);
        expect(await setAside(id, now)).toStrictEqual({ failures, nextAttemptAt });
        expect(await claim(now)).toBe(other?.id);
        expect(await claim(nextAttemptAt - 1)).toBe(other?.id);
        now = nextAttemptAt;
      }
      expect(await finish(now)).toBe(id);
    });

    test.each<[string, (staff: Staff) => DeletionRequest]>([
      ['a pending request', (staff) => staff.requestOf('of A')],
      [
        'a cancelled request',
        (staff) => ({ ...staff.requestOf('of A'), status: 'cancelled', verdict: null }),
      ],
      ['a completed request', (staff) => completedOf(staff, 'of A')],
    ])('leaves %s alone', async (_what, requestOf) => {
      const request = requestOf(await createStaff(backend()));
      await putRequest(backend(), request);
      expect(await setAside(request.id, SOME_INSTANT)).toBeNull();
    });

    test('does nothing for an unknown request', async () => {
      expect(await setAside(newId(), SOME_INSTANT)).toBeNull();
    });
  });
}
