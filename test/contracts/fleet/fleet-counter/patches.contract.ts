/** What every list of patches promises. */
import fc from 'fast-check';
import type { ListedPatch } from '#domain/fleet/fleet-lists.ts';
import { type DeviceRecord, PATCH_STATUSES, type Patch } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, namedOwners, REACH } from '#test/contracts/reach.ts';
import { newWord } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { walkPages } from '#test/contracts/walk-pages.ts';
import { aDevice, newId, orgScope, partnerScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeCounterQuestions } from './ask-counter.ts';

export function testPatchCounts(backend: () => ContractBackend): void {
  const { patches } = makeCounterQuestions(backend);
  const load = (orgId: OrgId, ...devices: readonly (readonly [string, Patch['status']])[][]) =>
    loadFleet(
      backend(),
      devices.map((list) => aDevice({ orgId, patches: list.map(toPatch) })),
    );

  describe('FleetCounter: patches', () => {
    test.each(REACH)('for %s, only patches of devices in reach are counted', async (_, scopeOf, expected) => {
      const tenants = await createTenants(backend());
      const { orgs } = namedOwners(tenants);
      const word = newWord();
      for (const [name, orgId] of Object.entries(orgs)) {
        await load(orgId, [[word, 'pending']], [[`${word} ${name}`, 'failed']]);
      }
      const found = (await patches(scopeOf(tenants))).filter(({ title }) => title.startsWith(word));
      const ofOrgs = expected.filter((name) => Object.hasOwn(orgs, name));
      const own = ofOrgs.map((name) => ({ title: `${word} ${name}`, pending: 0, installed: 0, failed: 1 }));
      const shared = { title: word, pending: ofOrgs.length, installed: 0, failed: 0 };
      expect(found).toStrictEqual(ofOrgs.length === 0 ? [] : [shared, ...own]);
    });

    test('count a device once for a title and a status, however often it has them', async () => {
      const { orgId } = await createTenant(backend());
      await load(
        orgId,
        [
          ['KB1', 'pending'],
          ['KB1', 'pending'],
          ['KB1', 'failed'],
        ],
        [['KB1', 'pending']],
        [['KB1', 'installed']],
      );
      expect(await patches(orgScope(orgId))).toStrictEqual([
        { title: 'KB1', pending: 2, installed: 1, failed: 1 },
      ]);
    });

    test('count the current patches of a device', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, patches: [toPatch(['KB1', 'pending']), toPatch(['KB2', 'pending'])] });
      await loadFleet(backend(), [device]);
      await loadFleet(backend(), [{ ...device, patches: [toPatch(['KB2', 'installed'])] }]);
      expect(await patches(orgScope(orgId))).toStrictEqual([
        { title: 'KB2', pending: 0, installed: 1, failed: 0 },
      ]);
    });

    test('are sorted by code point, and differ by case', async () => {
      const { orgId } = await createTenant(backend());
      const longest = '🖨'.repeat(500);
      await load(
        orgId,
        [longest, 'b', '\uffee', 'B', 'a', 'É', '  x'].map((title) => [title, 'failed']),
      );
      const titles = (await patches(orgScope(orgId))).map(({ title }) => title);
      expect(titles).toStrictEqual(['  x', 'B', 'a', 'b', 'É', '\uffee', longest]);
      expect((await patches(orgScope(orgId), { after: '\uffee' })).map(({ title }) => title)).toStrictEqual([
        longest,
      ]);
    });

    test('are empty without any reach', async () => {
      const { orgId } = await createTenant(backend());
      await load(orgId, [['KB1', 'pending']]);
      expect(await patches({ kind: 'none' })).toStrictEqual([]);
    });

    test('are listed by status, page by page, in order, for random fleets', async () => {
      const fleets = fc.array(fc.array(PATCH, { maxLength: 6 }), { minLength: 2, maxLength: 12 });
      const statuses = fc.option(fc.constantFrom(...PATCH_STATUSES));
      await fc.assert(
        fc.asyncProperty(fleets, statuses, fc.integer({ min: 1, max: 5 }), async (drawn, status, limit) => {
          const { partnerId, orgIds } = await createTenant(backend(), 3);
          const devices = drawn.map((list, i) =>
            aDevice({
              orgId: orgIds[i % 3] as OrgId,
              patches: list.map((patch) => ({ id: newId(), ...patch })),
            }),
          );
          await loadFleet(backend(), devices);
          const inReach = orgIds.slice(0, 2);
          const found = await walkPages<ListedPatch, string>(
            limit,
            (after, size) => patches(partnerScope(partnerId, inReach), { status, after, limit: size }),
            ({ title }) => title,
          );
          const seen = devices.filter(({ orgId }) => inReach.includes(orgId));
          const wanted = tally(seen).filter((patch) => status === null || patch[status] > 0);
          expect(found).toStrictEqual(wanted);
        }),
        { numRuns: 10 },
      );
    });
  });
}

function toPatch([title, status]: readonly [string, Patch['status']]): Patch {
  return { id: null, title, status };
}

/** Few titles, so that devices share them and have them more than once. */
const PATCH = fc.record({
  title: fc.constantFrom('KB1', 'KB2', 'kb1', 'É', '🖨', 'x'),
  status: fc.constantFrom(...PATCH_STATUSES),
});

/** The plain definition: for each title and status, the number of devices that have it. */
function tally(devices: readonly DeviceRecord[]): readonly ListedPatch[] {
  const titles = [...new Set(devices.flatMap(({ patches }) => patches?.map(({ title }) => title) ?? []))];
  return titles.sort(compareCodePoints).map((title) => {
    const count = (status: Patch['status']) =>
      devices.filter(({ patches }) =>
        patches?.some((patch) => patch.title === title && patch.status === status),
      ).length;
    return {
      title,
      pending: count('pending'),
      installed: count('installed'),
      failed: count('failed'),
    };
  });
}
