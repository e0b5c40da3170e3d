/** What every store of saved filters promises its readers. */
import type { SelectFilter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { MAX_FILTER_VERSIONS, type SavedFilter, versionOf } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aSavedFilter,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

export function testSavedFilterStore(backend: () => ContractBackend): void {
  const store = (...filters: readonly SavedFilter[]) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      for (const filter of filters) await tx.filters.add(filter);
    });

  const replace = (filter: SavedFilter) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.filters.findForUpdate(filter.id);
      await tx.filters.replace(filter);
    });

  const ownFilter = ({ orgId, userId }: Tenant, given: Partial<SavedFilter> = {}) =>
    aSavedFilter({ orgId, createdBy: userId, ...given });

  describe('SavedFilterReader', () => {
    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['its organization', ({ orgId }) => orgScope(orgId)],
      ['a partner that reaches it', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds)],
      [
        'a partner user with a subset that has it',
        ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
      ],
      ['the system', () => SYSTEM_SCOPE],
    ])('finds and lists a filter for %s', async (_name, scopeOf) => {
      const tenant = await createTenant(backend(), 2);
      const filter = ownFilter(tenant);
      await store(filter);
      const scope = scopeOf(tenant);
      expect(await backend().filters.find(scope, filter.id)).toStrictEqual(filter);
      expect(
        (await Array.fromAsync(backend().filters.list(scope))).filter(({ id }) => id === filter.id),
      ).toStrictEqual([filter]);
    });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['another organization of the partner', ({ orgIds }) => orgScope(orgIds[1] ?? newId())],
      ['an organization that does not exist', () => orgScope(newId())],
      [
        'a partner user whose subset lacks it',
        ({ partnerId, orgIds }) => ({ kind: 'partner', partnerId, orgIds: orgIds.slice(1), isWhole: false }),
      ],
      ['a partner with no organization', ({ partnerId }) => partnerScope(partnerId, [])],
      ['another partner', ({ orgIds }) => partnerScope(newId(), orgIds.slice(1))],
    ])('neither finds nor lists a filter for %s', async (_name, scopeOf) => {
      const tenant = await createTenant(backend(), 2);
      const filter = ownFilter(tenant);
      await store(filter);
      expect(await backend().filters.find(scopeOf(tenant), filter.id)).toBeNull();
      expect(await Array.fromAsync(backend().filters.list(scopeOf(tenant)))).toStrictEqual([]);
    });

    test('finds filters with the filters they name, and the filters that name one, within reach', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const scope = partnerScope(tenant.partnerId, tenant.orgIds);
      const naming = (...ids: readonly FilterId[]) =>
        JSON.stringify({ operator: 'AND', conditions: [{ field: 'filter', operator: 'notIn', value: ids }] });
      const wide = { orgId: null, partnerId: tenant.partnerId };
      const inner = ownFilter(tenant, { ...wide, name: 'inner' });
      const middle = ownFilter(tenant, { ...wide, name: 'middle', conditionsJson: naming(inner.id) });
      const outer = ownFilter(tenant, { orgId: one, conditionsJson: naming(middle.id, inner.id) });
      const other = ownFilter(tenant, { orgId: two, conditionsJson: naming(middle.id) });
      await store(inner, middle, outer, other);
      const { filters } = backend();
      const ids = (all: readonly Pick<SavedFilter, 'id'>[]) => all.map(({ id }) => id).toSorted();
      const withInner = async (reach: AccessScope, ...of: readonly FilterId[]) =>
        ids(await Array.fromAsync(filters.withInner(reach, of)));
      const relying = async (reach: AccessScope, id: FilterId) => ids(await filters.relyingOn(reach, id));
      expect(await withInner(orgScope(one), outer.id)).toStrictEqual(ids([inner, middle, outer]));
      expect(await withInner(orgScope(one), other.id, middle.id)).toStrictEqual(ids([inner, middle]));
      expect(await withInner(orgScope(one))).toStrictEqual([]);
      expect(await relying(scope, inner.id)).toStrictEqual(ids([middle, outer, other]));
      expect(await relying(orgScope(two), inner.id)).toStrictEqual(ids([middle, other]));
      expect(await relying(scope, outer.id)).toStrictEqual([]);
      expect(await filters.relyingOn(orgScope(one), middle.id)).toStrictEqual([
        {
          id: outer.id,
          name: outer.name,
          orgId: one,
          partnerId: null,
          version: 1,
          named: [middle.id, inner.id],
        },
      ]);
      await backend().unitOfWork(scope, async (tx) => {
        await tx.filters.holdLinks({ kind: 'partner', partnerId: tenant.partnerId });
        expect(ids(await tx.filters.linksFrom([middle.id]))).toStrictEqual(ids([inner, middle]));
        expect(await tx.filters.linksFrom([])).toStrictEqual([]);
        expect(ids(await tx.filters.relyingOn(inner.id))).toStrictEqual(ids([middle, outer, other]));
      });
      await backend().unitOfWork(orgScope(one), async (tx) => {
        expect(ids(await tx.filters.linksFrom([other.id, middle.id]))).toStrictEqual(ids([inner, middle]));
        expect(ids(await tx.filters.relyingOn(inner.id))).toStrictEqual(ids([middle, outer]));
      });
    });

    test('gives the heads of the filters of one organization, and nothing if it is out of reach', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const filters = [
        ownFilter(tenant, { name: 'Büro', conditionsJson: '"ü"', version: 7 }),
        ownFilter(tenant, { updatedAt: SOME_INSTANT + 5 }),
      ];
      await store(...filters, ownFilter(tenant, { orgId: two }));
      const headsIn = async (scope: AccessScope) =>
        (await backend().filters.heads(scope, one)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const heads = filters.map(({ id, name, version, updatedAt, conditionsJson }) => {
        const conditionBytes = Buffer.byteLength(conditionsJson);
        return { id, name, version, updatedAt, conditionBytes, named: [] };
      });
      expect(await headsIn(orgScope(one))).toStrictEqual(heads);
      expect(await headsIn(partnerScope(tenant.partnerId, tenant.orgIds))).toStrictEqual(heads);
      expect(await headsIn(SYSTEM_SCOPE)).toStrictEqual(heads);
      expect(await headsIn(orgScope(two))).toStrictEqual([]);
      expect(await headsIn(partnerScope(tenant.partnerId, [two]))).toStrictEqual([]);
    });

    test('lists the versions of a filter, newest first, for every scope that reaches it', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const first = ownFilter(tenant, { conditionsJson: `"${'x'.repeat(300_000)}"` });
      const changer = newId<'user'>();
      const second: SavedFilter = {
        ...first,
        ...{
          name: 'Renamed',
          description: 'Why',
          changedBy: changer,
          version: 2,
          updatedAt: SOME_INSTANT + 5,
        },
      };
      const third: SavedFilter = { ...second, conditionsJson: '"y"', changedBy: null, version: 3 };
      await store(first, ownFilter(tenant));
      await replace(second);
      await replace(third);
      const reader = backend().filters;
      const listed = (scope: AccessScope, id = first.id) => Array.fromAsync(reader.versions(scope, id));
      for (const scope of [orgScope(one), partnerScope(tenant.partnerId, tenant.orgIds), SYSTEM_SCOPE]) {
        expect(await listed(scope)).toStrictEqual([third, second, first].map(versionOf));
        expect(await reader.findVersion(scope, first.id, 3)).toStrictEqual(versionOf(third));
        expect(await reader.findVersion(scope, first.id, 1)).toStrictEqual(versionOf(first));
        expect(await reader.findVersion(scope, first.id, 4)).toBeNull();
      }
      for (const scope of [orgScope(two), partnerScope(tenant.partnerId, [two]), NO_SCOPE]) {
        expect(await listed(scope)).toStrictEqual([]);
        expect(await reader.findVersion(scope, first.id, 1)).toBeNull();
      }
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.remove(first.id));
      expect(await listed(SYSTEM_SCOPE)).toStrictEqual([]);
    });

    test('keeps the last hundred versions', async () => {
      const tenant = await createTenant(backend());
      let filter = ownFilter(tenant);
      await store(filter);
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        for (let version = 2; version <= MAX_FILTER_VERSIONS + 2; version += 1) {
          await tx.filters.findForUpdate(filter.id);
          filter = { ...filter, version, name: `Version ${version}` };
          await tx.filters.replace(filter);
        }
      });
      const versions = await Array.fromAsync(backend().filters.versions(SYSTEM_SCOPE, filter.id));
      expect(versions.map(({ version }) => version)).toStrictEqual(
        Array.from({ length: MAX_FILTER_VERSIONS }, (_, i) => MAX_FILTER_VERSIONS + 2 - i),
      );
    });

    test('finds many filters in reach, each once, with conditions of any size', async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const filters = Array.from({ length: 20 }, (_, i) =>
        ownFilter(tenant, { conditionsJson: `"${'x'.repeat(i % 7 === 0 ? 300_000 : i)}"` }),
      );
      const foreign = ownFilter(tenant, { orgId: two });
      await store(...filters, foreign);
      const ids = [...filters, foreign].map(({ id }) => id);
      const find = async (scope: AccessScope, wanted: readonly FilterId[]) =>
        (await Array.fromAsync(backend().filters.findEach(scope, wanted))).toSorted((a, b) =>
          a.id < b.id ? -1 : 1,
        );
      expect(await find(orgScope(one), [...ids, ...ids, newId()])).toStrictEqual(filters);
      expect(await find(SYSTEM_SCOPE, ids.slice(5, 7))).toStrictEqual(filters.slice(5, 7));
      expect(await find(SYSTEM_SCOPE, [])).toStrictEqual([]);
      expect(await find(orgScope(newId()), ids)).toStrictEqual([]);
    });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['an organization of the partner', ({ orgIds }) => orgScope(orgIds[1] ?? newId())],
      ['the whole partner', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds)],
      ['the whole partner without an organization', ({ partnerId }) => partnerScope(partnerId, [])],
      [
        'a partner user with a subset',
        ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
      ],
      ['the system', () => SYSTEM_SCOPE],
    ])('shows the filter of a partner to %s', async (_name, scopeOf) => {
      const tenant = await createTenant(backend(), 2);
      const filter = ownFilter(tenant, { orgId: null, partnerId: tenant.partnerId });
      await store(filter);
      const scope = scopeOf(tenant);
      const { filters } = backend();
      expect(await filters.find(scope, filter.id)).toStrictEqual(filter);
      expect(await Array.fromAsync(filters.findEach(scope, [filter.id]))).toStrictEqual([filter]);
      const listed = await Array.fromAsync(filters.list(scope));
      expect(listed.filter(({ id }) => id === filter.id)).toStrictEqual([filter]);
    });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['an organization of another partner', () => orgScope(newId())],
      ['another partner', () => partnerScope(newId(), [])],
      [
        'a partner user with an empty subset',
        ({ partnerId }) => ({ kind: 'partner', partnerId, orgIds: [], isWhole: false }),
      ],
      ['nobody', () => NO_SCOPE],
    ])('hides the filter of a partner from %s', async (_name, scopeOf) => {
      const tenant = await createTenant(backend());
      const filter = ownFilter(tenant, { orgId: null, partnerId: tenant.partnerId });
      await store(filter);
      const { filters } = backend();
      expect(await filters.find(scopeOf(tenant), filter.id)).toBeNull();
      expect(await Array.fromAsync(filters.findEach(scopeOf(tenant), [filter.id]))).toStrictEqual([]);
      expect(await Array.fromAsync(filters.list(scopeOf(tenant)))).toStrictEqual([]);
    });

    test('gives the heads of the filters of an organization together with those of its partner', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      const [own, wide] = [
        ownFilter(tenant),
        ownFilter(tenant, { orgId: null, partnerId: tenant.partnerId }),
      ];
      await store(own, wide, ownFilter(other, { orgId: null, partnerId: other.partnerId }));
      for (const scope of [orgScope(tenant.orgId), SYSTEM_SCOPE]) {
        const heads = await backend().filters.heads(scope, tenant.orgId);
        expect(heads.map(({ id }) => id).toSorted()).toStrictEqual([own.id, wide.id].toSorted());
      }
    });

    test('accepts an unknown creator', async () => {
      const tenant = await createTenant(backend());
      const filter = ownFilter(tenant, { createdBy: newId() });
      await store(filter);
      expect(await backend().filters.find(SYSTEM_SCOPE, filter.id)).toStrictEqual(filter);
    });

    test('finds nothing for an id that no filter has', async () => {
      const { orgId } = await createTenant(backend());
      expect(await backend().filters.find(orgScope(orgId), newId())).toBeNull();
      expect(await backend().filters.find(SYSTEM_SCOPE, newId())).toBeNull();
    });

    test('lists the filters of all organizations in reach, newest first, ties by descending id', async () => {
      const tenant = await createTenant(backend(), 3);
      const [one, two, three] = tenant.orgIds;
      const at = (createdAt: number, orgId = one) =>
        ownFilter(tenant, { createdAt, orgId: orgId ?? newId() });
      const old = at(SOME_INSTANT - 1);
      const tied = [at(SOME_INSTANT, two), at(SOME_INSTANT), at(SOME_INSTANT, two)];
      const recent = at(SOME_INSTANT + 1, two);
      const foreign = at(SOME_INSTANT + 2, three);
      await store(old, ...tied, foreign, recent);
      const scope = partnerScope(tenant.partnerId, tenant.orgIds.slice(0, 2));
      // The builders' ids ascend.
      expect(await Array.fromAsync(backend().filters.list(scope))).toStrictEqual([
        recent,
        ...tied.toReversed(),
        old,
      ]);
    });

    test('lists more filters than it reads at once, each once, with conditions of any size', async () => {
      const tenant = await createTenant(backend(), 2);
      const filters = Array.from({ length: 520 }, (_, i) =>
        ownFilter(tenant, {
          // Organizations alternate, so that no index has the filters in this order.
          orgId: tenant.orgIds[i % 2] ?? tenant.orgId,
          createdAt: SOME_INSTANT + Math.floor(i / 7),
          ...(i % 100 === 3 && { conditionsJson: `"${'x'.repeat(300_000)}"` }),
        }),
      );
      await store(...filters);
      const scope = partnerScope(tenant.partnerId, tenant.orgIds);
      const listed = await Array.fromAsync(backend().filters.list(scope));
      // Newest first; the builders' ids ascend.
      expect(listed.map(({ id }) => id)).toStrictEqual(filters.map(({ id }) => id).toReversed());
      expect(listed.map(({ conditionsJson }) => conditionsJson.length)).toStrictEqual(
        filters.map(({ conditionsJson }) => conditionsJson.length).toReversed(),
      );
    });

    test('lists the filters that are selected by name and description', async () => {
      const tenant = await createTenant(backend());
      const [one, two, three] = [
        ownFilter(tenant, { name: 'one', description: null }),
        ownFilter(tenant, { name: 'two', description: 'wanted' }),
        ownFilter(tenant, { name: 'wanted', description: '' }),
      ];
      await store(one, two, three);
      const asked: Parameters<SelectFilter>[0][] = [];
      const select: SelectFilter = (facts) => {
        asked.push(facts);
        return facts.name === 'wanted' || facts.description === 'wanted';
      };
      const listed = await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId), select));
      expect(listed).toStrictEqual([three, two]);
      expect(asked).toContainEqual(expect.objectContaining({ name: 'one', description: null }));
    });

    test('lists on while others delete a filter that was listed and one that was not reached yet', async () => {
      const tenant = await createTenant(backend());
      const filters = Array.from({ length: 5 }, () =>
        ownFilter(tenant, { conditionsJson: `"${'x'.repeat(300_000)}"` }),
      );
      await store(...filters);
      const unreached = filters[1]?.id ?? newId();
      const seen: string[] = [];
      for await (const { id } of backend().filters.list(orgScope(tenant.orgId))) {
        seen.push(id);
        if (seen.length > 1) continue;
        await backend().unitOfWork(orgScope(tenant.orgId), async (tx) => {
          for (const gone of [id, unreached]) {
            await tx.filters.findForUpdate(gone);
            await tx.filters.remove(gone);
          }
        });
      }
      const others = filters.map(({ id }) => id).filter((id) => id !== unreached);
      // The one that was not reached yet may come or not.
      expect(seen.filter((id) => id !== unreached)).toStrictEqual(others.toReversed());
      const left = await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId)));
      expect(left.map(({ id }) => id)).toStrictEqual(others.slice(0, -1).toReversed());
    });

    test('lists nothing for an organization without filters', async () => {
      const { orgId } = await createTenant(backend());
      expect(await Array.fromAsync(backend().filters.list(orgScope(orgId)))).toStrictEqual([]);
    });

    test.each([
      ['text beyond the basic plane, quotes and backslashes', `Büro 🖨 'x' "y" \\ %_ 𝒳`],
      ['two hundred code points', '🖨'.repeat(200)],
      ['text as it was typed, not normalised', 'Cafe\u0301'],
    ])('keeps %s', async (_what, name) => {
      const tenant = await createTenant(backend());
      const filter = ownFilter(tenant, { name, description: `${name} once more`, version: 1 });
      await store(filter);
      expect(await backend().filters.find(SYSTEM_SCOPE, filter.id)).toStrictEqual(filter);
    });

    test.each([
      ['no description', { description: null }],
      ['an empty description', { description: '' }],
      ['later changes', { version: 7, updatedAt: SOME_INSTANT + 86_400_000 }],
    ])('keeps %s', async (_what, given) => {
      const tenant = await createTenant(backend());
      const filter = ownFilter(tenant, given);
      await store(filter);
      expect(await backend().filters.find(SYSTEM_SCOPE, filter.id)).toStrictEqual(filter);
    });

    test.each([
      [
        'the members in the order in which they were sent',
        '{"conditions":[{"value":"b","operator":"equals","field":"hostname"}],"operator":"OR"}',
      ],
      [
        'numbers as they were sent',
        '{"operator":"AND","conditions":[{"field":"uptimeSeconds","operator":"equals","value":"042.50"}]}',
      ],
      [
        'thirty thousand levels',
        `${'{"operator":"AND","conditions":['.repeat(30_000)}{"field":"hostname","operator":"isNotNull"}${']}'.repeat(30_000)}`,
      ],
    ])('keeps conditions with %s', async (_what, conditionsJson) => {
      const tenant = await createTenant(backend());
      const filter = ownFilter(tenant, { conditionsJson });
      await store(filter);
      const found = await backend().filters.find(SYSTEM_SCOPE, filter.id);
      expect(found?.conditionsJson === conditionsJson).toBe(true);
    });

    test('is not affected by changes to a filter object that was passed in or found', async () => {
      const tenant = await createTenant(backend());
      const given = { ...ownFilter(tenant) };
      const before = { ...given };
      await store(given);
      given.name = 'changed after it was given';
      const found = await backend().filters.find(SYSTEM_SCOPE, before.id);
      Reflect.set(found ?? {}, 'name', 'changed after it was found');
      const [listed] = await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId)));
      Reflect.set(listed ?? {}, 'name', 'changed after it was listed');
      expect(await backend().filters.find(SYSTEM_SCOPE, before.id)).toStrictEqual(before);
      expect(await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId)))).toStrictEqual([before]);
    });
  });

  describe('SavedFilterWriter of a partner', () => {
    const wideOf = (tenant: Tenant) => ownFilter(tenant, { orgId: null, partnerId: tenant.partnerId });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['the whole partner', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds)],
      ['the system', () => SYSTEM_SCOPE],
    ])('lets %s add, change and remove a filter', async (_name, scopeOf) => {
      const tenant = await createTenant(backend());
      const filter = wideOf(tenant);
      const owner = { kind: 'partner', partnerId: tenant.partnerId } as const;
      await backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.filters.add(ownFilter(tenant));
        await tx.filters.add(filter);
        expect((await tx.filters.holdUsage(owner)).filters).toBe(1);
      });
      await backend().unitOfWork(scopeOf(tenant), async (tx) => {
        expect(await tx.filters.findForUpdate(filter.id)).toStrictEqual(filter);
        await tx.filters.replace({ ...filter, name: 'Renamed', version: 2 });
      });
      expect((await backend().filters.find(SYSTEM_SCOPE, filter.id))?.name).toBe('Renamed');
      await backend().unitOfWork(scopeOf(tenant), async (tx) => {
        await tx.filters.findForUpdate(filter.id);
        await tx.filters.remove(filter.id);
      });
      expect(await backend().filters.find(SYSTEM_SCOPE, filter.id)).toBeNull();
    });

    test.each<[string, (tenant: Tenant) => AccessScope]>([
      ['an organization of the partner', ({ orgId }) => orgScope(orgId)],
      [
        'a partner user with a subset',
        ({ partnerId, orgIds }) => ({ kind: 'partner', partnerId, orgIds, isWhole: false }),
      ],
      ['another partner', ({ orgIds }) => partnerScope(newId(), orgIds)],
    ])('does not let %s add, change or remove a filter', async (_name, scopeOf) => {
      const tenant = await createTenant(backend());
      const filter = wideOf(tenant);
      const owner = { kind: 'partner', partnerId: tenant.partnerId } as const;
      await store(filter);
      const { unitOfWork } = backend();
      const scope = scopeOf(tenant);
      expect(await unitOfWork(scope, (tx) => tx.filters.findForUpdate(filter.id))).toBeNull();
      await expect(unitOfWork(scope, (tx) => tx.filters.holdUsage(owner))).rejects.toThrow();
      await expect(unitOfWork(scope, (tx) => tx.filters.add(wideOf(tenant)))).rejects.toThrow();
      await expect(
        unitOfWork(scope, (tx) => tx.filters.replace({ ...filter, name: 'Mine', version: 2 })),
      ).rejects.toThrow();
      await expect(unitOfWork(scope, (tx) => tx.filters.remove(filter.id))).rejects.toThrow();
      expect(await backend().filters.find(SYSTEM_SCOPE, filter.id)).toStrictEqual(filter);
    });
  });
}
