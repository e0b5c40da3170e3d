/** What every store of memberships promises. */
import type { MembershipEvaluation, MembershipTimer } from '#application/ports/live/memberships.ts';
import { mergeDevices } from '#domain/device/merge-devices.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId, PartnerId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anAlert,
  anInventory,
  aSavedFilter,
  located,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

export function testMemberships(backend: () => ContractBackend): void {
  const memberships = () => backend().memberships;

  const addFilter = async ({
    orgId,
    userId,
    partnerId,
  }: Pick<Tenant, 'partnerId' | 'userId'> & { readonly orgId: OrgId | null }) => {
    const owner = orgId === null ? { orgId, partnerId } : { orgId };
    const filter = aSavedFilter({ ...owner, createdBy: userId });
    await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
    return filter;
  };

  const evaluate = async <T>(
    partnerId: PartnerId,
    work: (evaluation: MembershipEvaluation) => Promise<T> | T,
    at: EpochMs = SOME_INSTANT,
  ): Promise<T> => {
    const result = await memberships().evaluate(partnerId, async (evaluation) => {
      evaluation.setInstant(at);
      return { value: await work(evaluation) };
    });
    if (result === null) throw new Error('another evaluation is running');
    return result.value;
  };

  /** A tenant with a watched filter that has these members. */
  const watchedFilter = async (members: readonly DeviceId[] = [], organizationCount = 1) => {
    const tenant = await createTenant(backend(), organizationCount);
    const filter = await addFilter(tenant);
    expect(await memberships().watch(orgScope(tenant.orgId), filter.id)).toBe(true);
    await evaluate(tenant.partnerId, (evaluation) => evaluation.begin(filter, members, 'v1'));
    return { tenant, filter, scope: orgScope(tenant.orgId) };
  };

  const load = async (...records: readonly DeviceRecord[]) => {
    const loaded = await backend().fleetWriter(located(records), undefined, undefined, { allowMoves: true });
    expect(loaded.ok).toBe(true);
  };

  const takeMarks = ({ partnerId }: Tenant) =>
    evaluate(partnerId, async (evaluation) =>
      (await evaluation.takeMarks()).map(({ orgId, deviceId, kind }) => [orgId, deviceId, kind]),
    );

  const enter = (evaluation: MembershipEvaluation, filter: SavedFilter, ...ids: readonly DeviceId[]) => {
    for (const deviceId of ids) {
      evaluation.append(filter, { type: 'entered', deviceId, hostname: 'srv-1', cause: 'device' });
    }
  };

  describe('Memberships, feeds', () => {
    test('watch only filters in reach', async () => {
      const [tenant, stranger] = [await createTenant(backend()), await createTenant(backend())];
      const filter = await addFilter(tenant);
      expect(await memberships().watch(orgScope(stranger.orgId), filter.id)).toBe(false);
      expect(await memberships().watch(SYSTEM_SCOPE, newId())).toBe(false);
      const watched = (evaluation: MembershipEvaluation) => evaluation.watched();
      expect(await evaluate(tenant.partnerId, watched)).toStrictEqual([]);
      expect(await memberships().watch(orgScope(tenant.orgId), filter.id)).toBe(true);
      expect(await evaluate(tenant.partnerId, watched)).toStrictEqual([{ filter, evaluated: null }]);
      expect(await evaluate(stranger.partnerId, watched)).toStrictEqual([]);
    });

    test('for a partner-wide filter are in reach only for the whole partner', async () => {
      const tenant = await createTenant(backend(), 2);
      const { orgId, orgIds, partnerId } = tenant;
      const filter = await addFilter({ orgId: null, partnerId, userId: tenant.userId });
      const whole = partnerScope(partnerId, orgIds);
      const others = [orgScope(orgId), { ...whole, isWhole: false }, partnerScope(newId(), [newId()])];
      for (const scope of others) expect(await memberships().watch(scope, filter.id)).toBe(false);
      expect(await memberships().watch(whole, filter.id)).toBe(true);
      const id = newId<'device'>();
      expect(await evaluate(partnerId, (evaluation) => evaluation.watched())).toStrictEqual([
        { filter, evaluated: null },
      ]);
      await evaluate(partnerId, (evaluation) => {
        evaluation.begin(filter, [id], 'v1');
        enter(evaluation, filter, newId());
        evaluation.setTimer(filter, id, SOME_INSTANT + 1);
      });
      for (const scope of [whole, SYSTEM_SCOPE]) {
        expect((await memberships().members(scope, filter.id))?.ids).toHaveLength(2);
        expect(await memberships().changes(scope, filter.id, 0, 10)).toMatchObject({ changes: [{ seq: 1 }] });
        expect(await memberships().counts(scope, filter.id, [SOME_INSTANT])).toMatchObject([{ count: 2 }]);
        expect([...(await memberships().membershipsOf(scope, id)).keys()]).toStrictEqual([filter.id]);
      }
      for (const scope of others) {
        expect(await memberships().members(scope, filter.id)).toBeNull();
        expect(await memberships().changes(scope, filter.id, 0, 10)).toBeNull();
        expect(await memberships().counts(scope, filter.id, [SOME_INSTANT])).toBeNull();
        expect([...(await memberships().membershipsOf(scope, id)).keys()]).toStrictEqual([]);
        await memberships().unwatch(scope, filter.id);
      }
      await evaluate(partnerId, async (evaluation) => {
        expect([...(await evaluation.membersOf(filter.id))]).toHaveLength(2);
        expect((await evaluation.filtersWith([id])).get(id)).toStrictEqual(new Set([filter.id]));
        expect(await evaluation.takeDueTimers(SOME_INSTANT + 1)).toMatchObject([{ deviceId: id }]);
      });
      expect(await memberships().waiting(SOME_INSTANT)).not.toContain(tenant.orgId);
      await memberships().unwatch(whole, filter.id);
      expect(await evaluate(partnerId, (evaluation) => evaluation.watched())).toStrictEqual([]);
    });

    test('have nothing to read before the first evaluation, and begin without changes', async () => {
      const tenant = await createTenant(backend());
      const [filter, scope] = [await addFilter(tenant), orgScope(tenant.orgId)];
      await memberships().watch(scope, filter.id);
      await evaluate(tenant.partnerId, () => undefined);
      expect(await memberships().members(scope, filter.id)).toBeNull();
      expect(await memberships().changes(scope, filter.id, 0, 10)).toBeNull();
      const id = newId<'device'>();
      await evaluate(tenant.partnerId, (evaluation) => evaluation.begin(filter, [id], 'v1'));
      expect(await memberships().members(scope, filter.id)).toStrictEqual({
        ...{ seq: 0, filterVersion: filter.version, evaluatedAt: SOME_INSTANT, ids: [id] },
      });
      expect(await memberships().changes(scope, filter.id, 0, 10)).toStrictEqual({
        changes: [],
        hasMore: false,
      });
    });

    test('number the changes of each filter from 1 without gaps, and update its members', async () => {
      const { tenant, filter, scope } = await watchedFilter();
      const other = await addFilter(tenant);
      await memberships().watch(scope, other.id);
      const [a, b] = [newId<'device'>(), newId<'device'>()];
      await evaluate(tenant.partnerId, (evaluation) => {
        evaluation.begin(other, [a], 'v1');
        enter(evaluation, filter, a, b);
        enter(evaluation, other, b);
      });
      const newer = { ...filter, version: 2 };
      await evaluate(
        tenant.partnerId,
        (evaluation) =>
          evaluation.append(newer, { type: 'left', deviceId: a, hostname: null, cause: 'deleted' }),
        SOME_INSTANT + 5,
      );
      const entered = {
        type: 'entered',
        hostname: 'srv-1',
        cause: 'device',
        at: SOME_INSTANT,
        filterVersion: 1,
      };
      const left = { type: 'left', hostname: null, cause: 'deleted', at: SOME_INSTANT + 5, filterVersion: 2 };
      const changes = [
        { ...entered, seq: 1, deviceId: a },
        { ...entered, seq: 2, deviceId: b },
        { ...left, seq: 3, deviceId: a },
      ];
      const read = (after: number | null, limit: number) =>
        memberships().changes(scope, filter.id, after, limit);
      expect(await read(0, 10)).toStrictEqual({ changes, hasMore: false });
      expect(await read(1, 1)).toStrictEqual({ changes: changes.slice(1, 2), hasMore: true });
      expect(await read(3, 1)).toStrictEqual({ changes: [], hasMore: false });
      expect(await read(4, 1)).toBe('expired');
      expect(await read(null, 2)).toStrictEqual({ changes: changes.slice(1), hasMore: false });
      expect(await read(null, 10)).toStrictEqual({ changes, hasMore: false });
      expect(await memberships().changes(scope, other.id, null, 1)).toMatchObject({ changes: [{ seq: 1 }] });
      expect(await memberships().members(scope, filter.id)).toStrictEqual({
        ...{ seq: 3, filterVersion: 2, evaluatedAt: SOME_INSTANT + 5, ids: [b] },
      });
      expect((await memberships().members(scope, other.id))?.ids.toSorted()).toStrictEqual([a, b].toSorted());
    });

    test('know since when a device is a member of watched filters', async () => {
      const [first, later] = [newId<'device'>(), newId<'device'>()];
      const { tenant, filter, scope } = await watchedFilter([first]);
      await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, later), SOME_INSTANT + 5);
      const sinceWhen = async (id: DeviceId, reach = scope) => [
        ...(await memberships().membershipsOf(reach, id)),
      ];
      expect(await sinceWhen(first)).toStrictEqual([[filter.id, SOME_INSTANT]]);
      expect(await sinceWhen(later)).toStrictEqual([[filter.id, SOME_INSTANT + 5]]);
      expect(await sinceWhen(later, orgScope(newId()))).toStrictEqual([]);
      const leave = (evaluation: MembershipEvaluation) =>
        evaluation.append(filter, { type: 'left', deviceId: first, hostname: null, cause: 'device' });
      await evaluate(tenant.partnerId, leave, SOME_INSTANT + 7);
      expect(await sinceWhen(first)).toStrictEqual([]);
      await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, first), SOME_INSTANT + 9);
      expect(await sinceWhen(first)).toStrictEqual([[filter.id, SOME_INSTANT + 9]]);
      await memberships().unwatch(scope, filter.id);
      expect(await sinceWhen(first)).toStrictEqual([]);
    });

    test('keep their members while they are degraded', async () => {
      const id = newId<'device'>();
      const { tenant, filter, scope } = await watchedFilter([id]);
      await evaluate(
        tenant.partnerId,
        (evaluation) => {
          evaluation.append(filter, { type: 'degraded' });
          evaluation.setEvaluated(filter, { understoodAs: 'v2', isDegraded: true });
        },
        SOME_INSTANT + 5,
      );
      const [watched] = await evaluate(tenant.partnerId, (evaluation) => evaluation.watched());
      expect(watched?.evaluated).toStrictEqual({
        understoodAs: 'v2',
        isDegraded: true,
        isInterrupted: false,
      });
      expect(await memberships().members(scope, filter.id)).toMatchObject({
        ...{ seq: 1, evaluatedAt: SOME_INSTANT, ids: [id] },
      });
    });

    test('stay readable without a watch and without the filter', async () => {
      const id = newId<'device'>();
      const { tenant, filter, scope } = await watchedFilter([id]);
      const watched = () => evaluate(tenant.partnerId, (evaluation) => evaluation.watched());
      await memberships().unwatch(scope, filter.id);
      expect(await watched()).toStrictEqual([]);
      expect(await memberships().members(scope, filter.id)).toMatchObject({ ids: [id] });
      await memberships().watch(scope, filter.id);
      expect((await watched())[0]?.evaluated).toMatchObject({ isInterrupted: true });
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.filters.findForUpdate(filter.id);
        await tx.filters.remove(filter.id);
      });
      expect(await watched()).toStrictEqual([]);
      expect(await memberships().members(scope, filter.id)).toMatchObject({ ids: [id] });
    });

    test('for deleted filters are forgotten once all their changes are old', async () => {
      const id = newId<'device'>();
      const { tenant, filter, scope } = await watchedFilter([id]);
      const { filter: kept, scope: other } = await watchedFilter([id]);
      await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, newId()));
      await backend().unitOfWork(scope, async (tx) => {
        await tx.filters.findForUpdate(filter.id);
        await tx.filters.remove(filter.id);
      });
      await memberships().unwatch(other, kept.id);
      const isKept = async () => (await memberships().heads([filter.id])).has(filter.id);
      await memberships().forget(SOME_INSTANT, 10);
      expect(await isKept()).toBe(true);
      await memberships().forget(SOME_INSTANT + 1, 10);
      expect(await isKept()).toBe(false);
      expect(await memberships().members(scope, filter.id)).toBeNull();
      expect((await memberships().members(other, kept.id))?.ids).toStrictEqual([id]);
      const found = (evaluation: MembershipEvaluation) => evaluation.filtersWith([id]);
      expect((await evaluate(tenant.partnerId, found)).get(id)?.has(filter.id)).toBe(false);
    });

    test('forget old changes and all but the last ones, and tell readers that are behind', async () => {
      const { tenant, filter, scope } = await watchedFilter();
      for (const days of [1, 2, 3]) {
        await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, newId()), days);
      }
      const read = async (after: number) => {
        const page = await memberships().changes(scope, filter.id, after, 10);
        return page === null || page === 'expired' ? page : page.changes.map(({ seq }) => seq);
      };
      await memberships().forget(2, 10);
      expect([await read(0), await read(1)]).toStrictEqual(['expired', [2, 3]]);
      await memberships().forget(0, 1);
      expect([await read(1), await read(2), await read(3)]).toStrictEqual(['expired', [3], []]);
      await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, newId()));
      expect(await read(2)).toStrictEqual([3, 4]);
      expect((await memberships().members(scope, filter.id))?.ids).toHaveLength(4);
    });

    test('can be read only by scopes that reach the filter', async () => {
      const { tenant, filter, scope } = await watchedFilter([newId()]);
      const stranger = await createTenant(backend());
      for (const other of [orgScope(stranger.orgId), partnerScope(stranger.partnerId, stranger.orgIds)]) {
        expect(await memberships().members(other, filter.id)).toBeNull();
        expect(await memberships().changes(other, filter.id, 0, 10)).toBeNull();
        await memberships().unwatch(other, filter.id);
      }
      const watched = await evaluate(tenant.partnerId, (evaluation) => evaluation.watched());
      expect(watched).toHaveLength(1);
      expect(
        await memberships().members(partnerScope(tenant.partnerId, tenant.orgIds), filter.id),
      ).toStrictEqual(await memberships().members(scope, filter.id));
    });
  });

  describe('Memberships, marks', () => {
    test('are left by every change of a device, until an evaluation ends', async () => {
      const { tenant } = await watchedFilter();
      const { orgId } = tenant;
      const [device, other] = [aDevice({ orgId }), aDevice({ orgId })];
      const alert = anAlert({ orgId, deviceId: device.id, severity: 'critical', status: 'active' });
      await load(device, other);
      const byId = (a: readonly unknown[], b: readonly unknown[]) => (String(a[1]) < String(b[1]) ? -1 : 1);
      const both = [device, other].map(({ id }) => [orgId, id, 'changed']).sort(byId);
      expect([...(await takeMarks(tenant))].sort(byId)).toStrictEqual(both);
      expect(await takeMarks(tenant)).toStrictEqual([]);

      const changes: readonly (() => Promise<unknown>)[] = [
        () => load({ ...device, tags: ['vip'] }),
        () => loadFleet(backend(), [alert]),
        () => backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.alerts.setStatus(alert.id, 'resolved')),
        () =>
          backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
            const found = await tx.devices.findForUpdate(device.id);
            if (found !== null) await tx.devices.replace({ ...found, tags: ['lab'] });
          }),
      ];
      for (const change of changes) {
        await change();
        expect(await takeMarks(tenant)).toStrictEqual([[orgId, device.id, 'changed']]);
      }

      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const found = await tx.devices.findAllForUpdate([device.id, other.id]);
        const [kept, gone] = [device, other].map(({ id }) => found.find((one) => one.id === id));
        if (kept !== undefined && gone !== undefined)
          await tx.devices.merge(mergeDevices(kept, gone, new Map()));
      });
      expect(await takeMarks(tenant)).toContainEqual([orgId, other.id, 'deleted']);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.remove(device));
      expect(await takeMarks(tenant)).toStrictEqual([[orgId, device.id, 'deleted']]);
      const reported = await reportInventory(backend(), orgId, anInventory(), SOME_INSTANT);
      expect(await takeMarks(tenant)).toStrictEqual([
        [orgId, reported.ok && reported.value.deviceId, 'changed'],
      ]);
    });

    test('tell both organizations that a device moved, even between partners or if it changes later', async () => {
      const [from, to] = [await watchedFilter(), await watchedFilter()];
      const device = aDevice({ orgId: from.tenant.orgId });
      await load(device);
      await takeMarks(from.tenant);
      await load({ ...device, orgId: to.tenant.orgId });
      await load({ ...device, orgId: to.tenant.orgId, tags: ['vip'] });
      expect(await takeMarks(from.tenant)).toStrictEqual([[from.tenant.orgId, device.id, 'moved']]);
      expect(await takeMarks(to.tenant)).toStrictEqual([[to.tenant.orgId, device.id, 'moved']]);
    });

    test('stay if the evaluation fails, which then has no effect', async () => {
      const id = newId<'device'>();
      const { tenant, filter, scope } = await watchedFilter([id]);
      const device = aDevice({ orgId: tenant.orgId });
      await load(device);
      await evaluate(tenant.partnerId, (evaluation) => evaluation.setTimer(filter, id, SOME_INSTANT));
      const before = await memberships().members(scope, filter.id);
      const failing = evaluate(
        tenant.partnerId,
        async (evaluation) => {
          await evaluation.takeMarks();
          await evaluation.takeDueTimers(SOME_INSTANT);
          enter(evaluation, filter, device.id);
          evaluation.setEvaluated(filter, { understoodAs: 'v2', isDegraded: true });
          evaluation.setTimer(filter, device.id, SOME_INSTANT);
          expect(await memberships().members(scope, filter.id)).toStrictEqual(before);
          throw new Error('killed');
        },
        SOME_INSTANT + 1,
      );
      await expect(failing).rejects.toThrow('killed');
      expect(await memberships().members(scope, filter.id)).toStrictEqual(before);
      await evaluate(tenant.partnerId, async (evaluation) => {
        expect(evaluation.lastAt).toBe(SOME_INSTANT);
        expect((await evaluation.watched())[0]?.evaluated).toMatchObject({
          understoodAs: 'v1',
          isDegraded: false,
        });
        expect(await evaluation.takeMarks()).toStrictEqual([
          { orgId: tenant.orgId, deviceId: device.id, kind: 'changed' },
        ]);
        expect(idsOf(await evaluation.takeDueTimers(SOME_INSTANT))).toStrictEqual([id]);
      });
    });
  });

  describe('Memberships, an evaluation', () => {
    test('runs alone for its partner', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const run = (partnerId: PartnerId, name: string) =>
        memberships().evaluate(partnerId, async (evaluation) => {
          if (name === 'first') {
            started.resolve();
            await held.promise;
          }
          evaluation.setInstant(SOME_INSTANT);
          return name;
        });
      const first = run(tenant.partnerId, 'first');
      await started.promise;
      const third = run(other.partnerId, 'third');
      expect(await run(tenant.partnerId, 'second')).toBeNull();
      held.resolve();
      expect(await Promise.all([first, third])).toStrictEqual(['first', 'third']);
      expect(await run(tenant.partnerId, 'fourth')).toBe('fourth');
    });

    test('sees its own writes', async () => {
      const [a, b, c] = [newId<'device'>(), newId<'device'>(), newId<'device'>()];
      const { tenant, filter } = await watchedFilter([a, b]);
      await evaluate(tenant.partnerId, async (evaluation) => {
        enter(evaluation, filter, c);
        evaluation.append(filter, { type: 'left', deviceId: a, hostname: null, cause: 'time' });
        expect([...(await evaluation.membersOf(filter.id))].sort()).toStrictEqual([b, c].sort());
        expect(await evaluation.filtersWith([a, b, c])).toStrictEqual(
          new Map([
            [a, new Set()],
            [b, new Set([filter.id])],
            [c, new Set([filter.id])],
          ]),
        );
      });
    });

    test('sees the devices of its partner only', async () => {
      const { tenant } = await watchedFilter([], 2);
      const stranger = await createTenant(backend());
      const orgIds = [...tenant.orgIds, stranger.orgId] as const;
      const devices = orgIds.map((orgId: OrgId) => aDevice({ orgId }));
      await load(...devices);
      const ids = devices.map(({ id }) => id);
      await evaluate(tenant.partnerId, async (evaluation) => {
        const found = await evaluation.devices([...ids, newId()]);
        expect([...found.keys()].sort()).toStrictEqual(ids.slice(0, 2).sort());
        const listed: DeviceId[] = [];
        for await (const { id } of evaluation.devicesOf(tenant.orgId)) listed.push(id);
        expect(listed).toStrictEqual(ids.slice(0, 1));
      });
    });

    test('takes timers once they are due, each once', async () => {
      const { tenant, filter, scope } = await watchedFilter();
      const [a, b, c, d] = [newId<'device'>(), newId<'device'>(), newId<'device'>(), newId<'device'>()];
      await evaluate(tenant.partnerId, (evaluation) => {
        for (const [i, id] of [a, b, c, d].entries()) evaluation.setTimer(filter, id, SOME_INSTANT + i);
        evaluation.setTimer(filter, b, SOME_INSTANT + 9);
        evaluation.setTimer(filter, c, null);
      });
      const due = (at: EpochMs) =>
        evaluate(tenant.partnerId, async (evaluation) => idsOf(await evaluation.takeDueTimers(at)));
      expect(await due(SOME_INSTANT - 1)).toStrictEqual([]);
      expect(await due(SOME_INSTANT + 2)).toStrictEqual([a]);
      await memberships().unwatch(scope, filter.id);
      expect(await due(SOME_INSTANT + 3)).toStrictEqual([]);
      await memberships().watch(scope, filter.id);
      expect(await due(SOME_INSTANT + 9)).toStrictEqual([]);
      await evaluate(tenant.partnerId, (evaluation) => evaluation.setTimer(filter, d, SOME_INSTANT + 3));
      expect(await due(SOME_INSTANT + 3)).toStrictEqual([d]);
      expect(await due(SOME_INSTANT + 99)).toStrictEqual([]);
    });

    test('tells the number of the last change of each feed, and nothing without a feed', async () => {
      const { tenant, filter, scope } = await watchedFilter();
      const { filter: quiet } = await watchedFilter();
      const never = await addFilter(tenant);
      await memberships().watch(scope, never.id);
      await evaluate(tenant.partnerId, (evaluation) => enter(evaluation, filter, newId(), newId()));
      const heads = await memberships().heads([filter.id, quiet.id, never.id, newId()]);
      expect([...heads].sort()).toStrictEqual(
        [
          ...new Map([
            [filter.id, 2],
            [quiet.id, 0],
          ]),
        ].sort(),
      );
    });

    test('counts members at past instants by the changes that are kept', async () => {
      const [member, late] = [newId<'device'>(), newId<'device'>()];
      const { tenant, filter, scope } = await watchedFilter([member]);
      const { partnerId } = tenant;
      await evaluate(partnerId, (evaluation) => enter(evaluation, filter, late), SOME_INSTANT + 1_000);
      await evaluate(
        partnerId,
        (evaluation) => {
          for (const deviceId of [member, late]) {
            evaluation.append(filter, { type: 'left', deviceId, hostname: null, cause: 'deleted' });
          }
        },
        SOME_INSTANT + 2_000,
      );
      const instants = [-1, 0, 999, 1_000, 1_001, 1_999, 2_000, 9_000].map((ms) => SOME_INSTANT + ms);
      const counts = await memberships().counts(scope, filter.id, instants);
      expect(counts).toStrictEqual(instants.map((at, i) => ({ at, count: [1, 1, 1, 2, 2, 2, 0, 0][i] })));
      await memberships().forget(SOME_INSTANT + 1_500, 10);
      const kept = await memberships().counts(scope, filter.id, instants);
      expect(kept?.map(({ count }) => count)).toStrictEqual([2, 2, 2, 2, 2, 2, 0, 0]);
      expect(await memberships().counts(scope, newId(), instants)).toBeNull();
      expect(await memberships().counts(orgScope(newId()), filter.id, instants)).toBeNull();
    });

    test('counts members as of a change', async () => {
      const [member, late] = [newId<'device'>(), newId<'device'>()];
      const { tenant, filter, scope } = await watchedFilter([member]);
      for (const ms of [1_000, 2_000]) {
        await evaluate(
          tenant.partnerId,
          (evaluation) => {
            if (ms === 1_000) enter(evaluation, filter, late);
            else
              evaluation.append(filter, { type: 'left', deviceId: late, hostname: null, cause: 'deleted' });
          },
          SOME_INSTANT + ms,
        );
      }
      const countsAt = (seqs: readonly number[], reader = scope) =>
        Promise.all(seqs.map((seq) => memberships().countAt(reader, filter.id, seq)));
      expect(await countsAt([0, 1, 2, 3])).toStrictEqual([1, 2, 1, null]);
      expect(await countsAt([0], orgScope(newId()))).toStrictEqual([null]);
      await memberships().forget(SOME_INSTANT + 1_500, 10);
      expect(await countsAt([0, 1, 2])).toStrictEqual([null, 2, 1]);
    });
  });
}

function idsOf(timers: readonly MembershipTimer[]): readonly DeviceId[] {
  return timers.map(({ deviceId }) => deviceId);
}
