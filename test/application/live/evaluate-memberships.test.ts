/** What changes of memberships say: which device, at what instant, by which version, and why. */
import { expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import {
  aCustomField,
  aDevice,
  aSavedFilter,
  located,
  movableClock,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, type RawGroup } from '#test/support/filters.ts';
import { createTenant } from '#test/support/tenant.ts';

const IS_VIP = and({ field: 'tags', operator: 'contains', value: 'vip' });
const SEEN_TODAY = and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'days' } });
const RACK_A1 = and({ field: 'custom.rack', operator: 'equals', value: 'a1' });

async function openService() {
  const { clock, moveTo } = movableClock();
  const backend = createMemoryBackend({
    ...{ translatePattern, digestSecret, clock, newId },
    hashPassword: async () => 'hash',
  });
  const { memberships } = backend;
  const evaluatePartner = makeEvaluateMemberships({ memberships, translatePattern, clock });
  const tenant = await createTenant(backend, 2);
  const [orgId, elsewhere] = tenant.orgIds as [OrgId, OrgId];
  const evaluate = () => evaluatePartner(tenant.partnerId);
  return {
    backend,
    clock,
    moveTo,
    orgId,
    elsewhere,
    evaluate,
    async load(...records: readonly DeviceRecord[]) {
      const loaded = await backend.fleetWriter(located(records), undefined, undefined, { allowMoves: true });
      expect(loaded.ok).toBe(true);
    },
    async watch(raw: RawGroup, inOrg: OrgId = orgId): Promise<FilterId> {
      const conditionsJson = JSON.stringify(raw);
      const filter = aSavedFilter({ orgId: inOrg, createdBy: tenant.userId, conditionsJson });
      await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
      await memberships.watch(SYSTEM_SCOPE, filter.id);
      await evaluate();
      return filter.id;
    },
    async edit(id: FilterId, raw: RawGroup) {
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const filter = await tx.filters.findForUpdate(id);
        if (filter === null) throw new Error('the filter is watched');
        await tx.filters.replace({
          ...filter,
          conditionsJson: JSON.stringify(raw),
          version: filter.version + 1,
        });
      });
    },
    /** Each change as one line. */
    async changes(id: FilterId): Promise<readonly string[]> {
      const page = await memberships.changes(SYSTEM_SCOPE, id, 0, 1_000);
      if (page === null || page === 'expired') throw new Error('the filter is watched');
      return page.changes.map((change) =>
        'cause' in change ? `${change.type} ${change.hostname} ${change.cause}` : change.type,
      );
    },
  };
}

test('a device enters and leaves a filter because it changed, moved or was deleted', async () => {
  const service = await openService();
  const { orgId, elsewhere, backend, load, evaluate } = service;
  const [here, there] = [await service.watch(IS_VIP), await service.watch(IS_VIP, elsewhere)];
  const device = aDevice({ orgId, hostname: 'a', tags: ['vip'] });
  await load(device);
  await evaluate();
  await load({ ...device, orgId: elsewhere });
  await load({ ...device, orgId: elsewhere, hostname: 'b' });
  await evaluate();
  await load({ ...device, orgId: elsewhere, hostname: 'b', tags: [] });
  await evaluate();
  await load({ ...device, orgId: elsewhere, hostname: 'b' });
  await evaluate();
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.remove({ id: device.id, orgId: elsewhere }));
  await evaluate();
  expect(await service.changes(here)).toStrictEqual(['entered a device', 'left b moved']);
  expect(await service.changes(there)).toStrictEqual([
    ...['entered b moved', 'left b device', 'entered b device', 'left null deleted'],
  ]);
});

test('a device leaves exactly when its time is up, and a heartbeat postpones the instant', async () => {
  const service = await openService();
  const { orgId, moveTo, load, evaluate } = service;
  const device = aDevice({ orgId, hostname: 'a', lastSeenAt: SOME_INSTANT });
  await load(device);
  const id = await service.watch(SEEN_TODAY);
  moveTo(SOME_INSTANT + MINUTE_MS);
  await load({ ...device, lastSeenAt: SOME_INSTANT + MINUTE_MS });
  await evaluate();
  moveTo(SOME_INSTANT + MINUTE_MS + DAY_MS);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual([]);
  moveTo(SOME_INSTANT + MINUTE_MS + DAY_MS + 1);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['left a time']);
  const page = await service.backend.memberships.changes(SYSTEM_SCOPE, id, 0, 1);
  expect(page).toMatchObject({ changes: [{ seq: 1, at: SOME_INSTANT + MINUTE_MS + DAY_MS + 1 }] });
});

test('a clock that is set back a little changes nothing; set back further, it brings devices back', async () => {
  const service = await openService();
  const { orgId, moveTo, load, evaluate } = service;
  await load(aDevice({ orgId, hostname: 'a', lastSeenAt: SOME_INSTANT }));
  const id = await service.watch(SEEN_TODAY);
  moveTo(SOME_INSTANT + DAY_MS + 1);
  await evaluate();
  moveTo(SOME_INSTANT + DAY_MS);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['left a time']);
  moveTo(SOME_INSTANT);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['left a time', 'entered a time']);
});

test('an edit of a filter reports each changed member with the new version', async () => {
  const service = await openService();
  const { orgId, load, evaluate, backend } = service;
  const [a, b, c] = ['a', 'b', 'c'].map((hostname, i) =>
    aDevice({ orgId, hostname, tags: i < 2 ? ['vip'] : [], lastSeenAt: i > 0 ? SOME_INSTANT : null }),
  ) as [DeviceRecord, DeviceRecord, DeviceRecord];
  await load(a, b, c);
  const id = await service.watch(IS_VIP);
  await service.edit(id, SEEN_TODAY);
  await evaluate();
  expect([...(await service.changes(id))].sort()).toStrictEqual(['entered c filter', 'left a filter']);
  const page = await backend.memberships.changes(SYSTEM_SCOPE, id, 0, 9);
  expect(page).toMatchObject({ changes: [{ filterVersion: 2 }, { filterVersion: 2 }] });
});

test('a filter whose field is deleted is degraded once, and its members stay until it recovers', async () => {
  const service = await openService();
  const { orgId, backend, load, evaluate } = service;
  const owner = { kind: 'organization', orgId } as const;
  const field = aCustomField({ owner, key: 'rack' });
  const define = (isDefined: boolean) =>
    backend.unitOfWork(orgScope(orgId), async (tx) => {
      await tx.customFields.holdFieldsOf(owner);
      await (isDefined ? tx.customFields.add(field) : tx.customFields.remove(field.id));
    });
  await define(true);
  const device = aDevice({ orgId, hostname: 'a', custom: new Map([['rack', 'a1']]) });
  await load(device);
  const id = await service.watch(RACK_A1);
  await define(false);
  await evaluate();
  await load({ ...device, custom: new Map([['rack', 'b2']]) });
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['degraded']);
  expect((await backend.memberships.members(SYSTEM_SCOPE, id))?.ids).toStrictEqual([device.id]);
  await define(true);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['degraded', 'recovered', 'left a filter']);
});

test('a filter that is watched again catches up', async () => {
  const service = await openService();
  const { orgId, backend, load, evaluate } = service;
  const device = aDevice({ orgId, hostname: 'a', tags: ['vip'] });
  await load(device);
  const id = await service.watch(IS_VIP);
  await backend.memberships.unwatch(SYSTEM_SCOPE, id);
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.remove(device));
  await load(aDevice({ orgId, hostname: 'b', tags: ['vip'] }));
  await evaluate();
  expect(await service.changes(id)).toStrictEqual([]);
  await backend.memberships.watch(SYSTEM_SCOPE, id);
  await evaluate();
  expect(await service.changes(id)).toStrictEqual(['entered b device', 'left null deleted']);
});
