/** DELETE, GET one and GET all of /filters (Spec: Saved filters; Contract: §5, §8). */
import { describe, expect, test } from 'vitest';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Precondition } from '#application/precondition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCall,
  aSavedFilter,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { makeMemoryService } from '#test/support/memory-service.ts';
import { createTenant } from '#test/support/tenant.ts';

const ANY_VERSION: Precondition = { kind: 'none' };

const named = (filter: SavedFilter) => ({ ...filter, creatorName: 'Sam Example' });

async function setUp() {
  const service = makeMemoryService();
  const tenant = await createTenant(service.backend, 2);
  const filter = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId, name: 'Old laptops' });
  await service.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
  const callIn = (scope: AccessScope) => aCall({ userId: tenant.userId, scope });
  const stored = () => service.backend.filters.find(SYSTEM_SCOPE, filter.id);
  return { service, tenant, filter, callIn, stored };
}

describe('deleting a filter', () => {
  test('returns the deleted filter and is audited', async () => {
    const { service, tenant, filter, callIn, stored } = await setUp();
    const deleted = await service.deleteFilter(callIn(orgScope(tenant.orgId)), filter.id, ANY_VERSION);
    expect(deleted).toStrictEqual(ok(named(filter)));
    expect(await stored()).toBeNull();
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: tenant.userId },
        orgId: tenant.orgId,
        partnerId: null,
        action: 'filter.delete',
        result: 'success',
        resourceType: 'filter',
        resourceId: filter.id,
        details: { name: 'Old laptops' },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('succeeds only once', async () => {
    const { service, filter, callIn } = await setUp();
    const remove = () => service.deleteFilter(callIn(SYSTEM_SCOPE), filter.id, ANY_VERSION);
    const outcomes = await Promise.all([remove(), remove()]);
    expect(outcomes).toStrictEqual([ok(named(filter)), err(FILTER_NOT_FOUND)]);
  });

  test('is refused for a version other than the stored one', async () => {
    const { service, filter, callIn, stored } = await setUp();
    const seen: Precondition = { kind: 'version', versions: new Set([2]) };
    expect(await service.deleteFilter(callIn(SYSTEM_SCOPE), filter.id, seen)).toStrictEqual(
      err({
        code: 'precondition_failed',
        detail: 'The filter has changed since you read it; read it again and repeat your change.',
      }),
    );
    expect(await stored()).toStrictEqual(filter);
    expect(service.takeEntries()).toStrictEqual([]);
  });

  test('finds nothing out of reach, and the attempt is audited', async () => {
    const { service, tenant, filter, callIn, stored } = await setUp();
    const call = callIn(partnerScope(tenant.partnerId, tenant.orgIds.slice(1)));
    expect(await service.deleteFilter(call, filter.id, ANY_VERSION)).toStrictEqual(err(FILTER_NOT_FOUND));
    expect(await stored()).toStrictEqual(filter);
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: tenant.userId },
        orgId: null,
        partnerId: tenant.partnerId,
        action: 'filter.delete',
        result: 'denied',
        resourceType: 'filter',
        resourceId: filter.id,
        details: { reason: 'not_found' },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });
});

describe('reading a filter', () => {
  test('returns it to callers that reach its organization, without an audit entry', async () => {
    const { service, tenant, filter, callIn } = await setUp();
    const scopes = [orgScope(tenant.orgId), partnerScope(tenant.partnerId, tenant.orgIds), SYSTEM_SCOPE];
    expect(
      await Promise.all(scopes.map((scope) => service.readFilter(callIn(scope), filter.id))),
    ).toStrictEqual(scopes.map(() => ok(named(filter))));
    expect(service.takeEntries()).toStrictEqual([]);
  });

  test('finds nothing if the filter does not exist or is out of reach', async () => {
    const { service, tenant, filter, callIn } = await setUp();
    const foreign = orgScope(tenant.orgIds[1] ?? newId());
    expect(await service.readFilter(callIn(SYSTEM_SCOPE), newId())).toStrictEqual(err(FILTER_NOT_FOUND));
    expect(await service.readFilter(callIn(foreign), filter.id)).toStrictEqual(err(FILTER_NOT_FOUND));
  });
});

describe('listing filters', () => {
  const setUpList = async () => {
    const service = makeMemoryService();
    const tenant = await createTenant(service.backend, 2);
    const [one, two] = tenant.orgIds.map((orgId, i) =>
      aSavedFilter({
        orgId,
        createdBy: tenant.userId,
        createdAt: SOME_INSTANT + i,
        name: i === 0 ? '100% Laptops' : 'Servers',
        description: i === 0 ? null : 'Straße_1',
      }),
    ) as [ReturnType<typeof aSavedFilter>, ReturnType<typeof aSavedFilter>];
    await service.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.filters.add(one);
      await tx.filters.add(two);
    });
    return { service, tenant, one, two };
  };

  test('returns the filters in reach, newest first', async () => {
    const { service, tenant, one, two } = await setUpList();
    const list = (scope: AccessScope) => Array.fromAsync(service.listFilters(aCall({ scope }), ''));
    expect(await list(SYSTEM_SCOPE)).toStrictEqual([named(two), named(one)]);
    expect(await list(partnerScope(tenant.partnerId, tenant.orgIds))).toStrictEqual([named(two), named(one)]);
    expect(await list(orgScope(tenant.orgId))).toStrictEqual([named(one)]);
    expect(await list(partnerScope(tenant.partnerId, []))).toStrictEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['', ['Servers', '100% Laptops']],
    ['  \t', ['Servers', '100% Laptops']],
    ['laptop', ['100% Laptops']],
    [' LAPTOP ', ['100% Laptops']],
    ['straße_', ['Servers']],
    ['0% l', ['100% Laptops']],
    ['%', ['100% Laptops']],
    ['_', ['Servers']],
    ['s', ['Servers', '100% Laptops']],
    ['nothing', []],
  ])('searches for %j in name and description', async (search, names) => {
    const { service } = await setUpList();
    const found = await Array.fromAsync(service.listFilters(aCall(), search));
    expect(found.map(({ name }) => name)).toStrictEqual(names);
  });
});
