/** What every matcher promises of streams: each id once, from one snapshot. */
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { MANY, makeMatcherQuestions, ONLINE } from './ask-matcher.ts';

export function testMatcherStream(backend: () => ContractBackend): void {
  const { requestFor, collectIds, createNamed, createMany, shareMany } = makeMatcherQuestions(backend);

  describe('DeviceMatcher.streamIds', () => {
    test('gives each matching device once, across batches', async () => {
      const { tenant, ids } = await shareMany();
      const streamed = await collectIds(requestFor(orgScope(tenant.orgId)));
      expect(streamed.toSorted()).toStrictEqual(ids);
    });

    test('gives as many as a preview counts', async () => {
      const { orgId } = await createTenant(backend());
      const statuses = ['online', 'offline', 'pending'] as const;
      await loadFleet(
        backend(),
        Array.from({ length: 100 }, (_, i) => aDevice({ orgId, status: statuses[i % 3] ?? 'online' })),
      );
      const request = requestFor(orgScope(orgId), ONLINE);
      const found = await backend().matcher.preview(request, 1);
      expect(found.ok && found.value.totalCount).toBe(34);
      expect(new Set(await collectIds(request)).size).toBe(34);
    });

    test('gives no batch, or only empty ones, if nothing matches', async () => {
      const { orgId } = await createTenant(backend());
      expect(await collectIds(requestFor(orgScope(orgId)))).toStrictEqual([]);
    });

    test('streams one snapshot, whatever is written between two batches', async () => {
      const { tenant, ids } = await createMany();
      const streamed: DeviceId[] = [];
      let isFirst = true;
      for await (const batch of backend().matcher.streamIds(requestFor(orgScope(tenant.orgId), ONLINE))) {
        streamed.push(...batch);
        if (!isFirst) continue;
        isFirst = false;
        const others = ids.map((id) => aDevice({ orgId: tenant.orgId, id, status: 'offline' }));
        await loadFleet(backend(), [...others, aDevice({ orgId: tenant.orgId })]);
      }
      expect(streamed.toSorted()).toStrictEqual(ids);
    });

    test('can be left early by its reader', async () => {
      const { tenant } = await shareMany();
      const first: DeviceId[] = [];
      for await (const batch of backend().matcher.streamIds(requestFor(orgScope(tenant.orgId)))) {
        first.push(...batch);
        break;
      }
      expect(first.length).toBeGreaterThan(0);
      expect(first.length).toBeLessThan(MANY);
      expect(await collectIds(requestFor(orgScope(tenant.orgId)))).toHaveLength(MANY);
    });

    test('throws if the request is cancelled before the first batch', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...requestFor(orgScope(orgId)), signal: AbortSignal.abort() };
      await expect(collectIds(request)).rejects.toStrictEqual(new MatchStreamError({ kind: 'cancelled' }));
    });

    test('throws if the request is cancelled between two batches', async () => {
      const { tenant } = await shareMany();
      const controller = new AbortController();
      const request = { ...requestFor(orgScope(tenant.orgId)), signal: controller.signal };
      const stream = backend().matcher.streamIds(request)[Symbol.asyncIterator]();
      expect((await stream.next()).done).toBe(false);
      controller.abort();
      const rest = async () => {
        while (!(await stream.next()).done);
      };
      await expect(rest()).rejects.toStrictEqual(new MatchStreamError({ kind: 'cancelled' }));
    });

    test('throws on a regular expression that cannot be evaluated', async () => {
      const { orgId } = await createNamed('a');
      const request = requestFor(
        orgScope(orgId),
        and({ field: 'hostname', operator: 'matches', value: '[' }),
      );
      await expect(collectIds(request)).rejects.toThrow(MatchStreamError);
    });
  });
}
