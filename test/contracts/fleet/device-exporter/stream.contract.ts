/** What every exporter promises of its stream: one snapshot, in batches, and cancellation. */
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { MANY, makeMatcherQuestions } from '#test/contracts/filters/device-matcher/ask-matcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeExporterQuestions } from './ask-exporter.ts';

const CANCELLED = new MatchStreamError({ kind: 'cancelled' });

export function testExporterStream(backend: () => ContractBackend): void {
  const { requestFor, collect, collectFirst } = makeExporterQuestions(backend);
  const { createNamed, createMany, shareMany } = makeMatcherQuestions(backend);

  describe('DeviceExporter and its stream', () => {
    test('gives each matching device once, in order, across batches', async () => {
      const { tenant, ids } = await shareMany();
      // The builders' hostnames carry the ids, which ascend.
      expect(await collectFirst(await requestFor(orgScope(tenant.orgId), ['id']))).toStrictEqual(ids);
    });

    test('comes in batches that are neither empty nor the whole result', async () => {
      const { tenant } = await shareMany();
      const batches = await Array.fromAsync(
        backend().deviceExporter(await requestFor(orgScope(tenant.orgId), ['id'])),
      );
      const sizes = batches.map(({ length }) => length);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(Math.max(...sizes)).toBeLessThan(MANY);
    });

    test('has no batch if nothing matches', async () => {
      const { orgId } = await createNamed('a');
      const nothing = and({ field: 'hostname', operator: 'equals', value: 'b' });
      const request = await requestFor(orgScope(orgId), ['id'], nothing);
      expect(await Array.fromAsync(backend().deviceExporter(request))).toStrictEqual([]);
    });

    test('gives one snapshot, whatever is loaded between two batches', async () => {
      const { tenant, ids } = await createMany();
      const { orgId } = tenant;
      const request = await requestFor(orgScope(orgId), ['id', 'status', 'lastUser']);
      const rows: unknown[] = [];
      let batches = 0;
      for await (const batch of backend().deviceExporter(request)) {
        rows.push(...batch);
        if (batches++ > 1) continue;
        // Changes every device, and adds ones that would be first and last.
        await loadFleet(backend(), [
          ...ids.map((id) =>
            aDevice({ id, orgId, hostname: `device-${id}`, status: 'offline', lastUser: 'later' }),
          ),
          aDevice({ orgId, hostname: 'a-first' }),
          aDevice({ orgId, hostname: 'z-last' }),
        ]);
      }
      expect(batches).toBeGreaterThan(2);
      expect(rows).toStrictEqual(ids.map((id) => [id, 'online', null]));
      expect(await collectFirst(request)).toHaveLength(MANY + 4);
    });

    test('ends if its reader leaves early, and the next stream is complete', async () => {
      const { tenant } = await shareMany();
      const request = await requestFor(orgScope(tenant.orgId), ['id']);
      for (let i = 0; i < 20; i++) {
        for await (const batch of backend().deviceExporter(request)) {
          expect(batch.length).toBeLessThan(MANY);
          break;
        }
      }
      expect(await collect(request)).toHaveLength(MANY);
    });

    test('throws if the request is cancelled before the first batch', async () => {
      const { orgId } = await createNamed('a');
      const request = { ...(await requestFor(orgScope(orgId), ['id'])), signal: AbortSignal.abort() };
      await expect(collect(request)).rejects.toStrictEqual(CANCELLED);
    });

    test('throws if the request is cancelled between two batches', async () => {
      const { tenant } = await shareMany();
      const controller = new AbortController();
      const request = { ...(await requestFor(orgScope(tenant.orgId), ['id'])), signal: controller.signal };
      const stream = backend().deviceExporter(request)[Symbol.asyncIterator]();
      expect((await stream.next()).done).toBe(false);
      controller.abort();
      const rest = async () => {
        while (!(await stream.next()).done);
      };
      await expect(rest()).rejects.toStrictEqual(CANCELLED);
    });

    test('throws on a regular expression that cannot be evaluated', async () => {
      const { orgId } = await createNamed('a');
      const broken = and({ field: 'hostname', operator: 'matches', value: '[' });
      const request = await requestFor(orgScope(orgId), ['id'], broken);
      await expect(collect(request)).rejects.toThrow(MatchStreamError);
    });

    test('does not mix concurrent exports', async () => {
      const { orgId: one } = await createTenant(backend());
      const { orgId: two } = await createTenant(backend());
      await loadFleet(
        backend(),
        [one, two].flatMap((orgId) => Array.from({ length: 1_200 }, () => aDevice({ orgId }))),
      );
      const exports = await Promise.all(
        [one, two, one, two].map(async (orgId) => collectFirst(await requestFor(orgScope(orgId), ['orgId']))),
      );
      expect(exports.map((orgIds) => [orgIds.length, ...new Set(orgIds)])).toStrictEqual(
        [one, two, one, two].map((orgId) => [1_200, orgId]),
      );
    });
  });
}
