/** POST /filters (Spec: POST /filters, Errors; Contract: §5, §8). */
import { describe, expect, test } from 'vitest';
import type { CreateFilterInput } from '#application/filters/saved/create-filter.ts';
import type { Caller } from '#domain/access/caller.ts';
import { err } from '#domain/result.ts';
import {
  aCall,
  aCustomField,
  newId,
  ONLINE_CONDITIONS,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { makeMemoryService } from '#test/support/memory-service.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const INPUT: CreateFilterInput = {
  name: 'Online devices',
  description: undefined,
  conditions: ONLINE_CONDITIONS,
  orgId: undefined,
  partnerId: undefined,
};

async function setUp() {
  const service = makeMemoryService();
  const tenant = await createTenant(service.backend, 2);
  const stranger = await createTenant(service.backend);
  const create = (caller: Partial<Caller>, input: Partial<CreateFilterInput> = {}) =>
    service.createFilter(aCall({ userId: tenant.userId, ...caller }), { ...INPUT, ...input });
  const listAll = () => Array.fromAsync(service.backend.filters.list(SYSTEM_SCOPE));
  return { service, tenant, stranger, create, listAll };
}

const partnerOf = ({ partnerId, orgIds }: Tenant) => partnerScope(partnerId, orgIds);

describe('a new filter', () => {
  test('is returned, stored and audited', async () => {
    const { service, tenant, create, listAll } = await setUp();
    const created = await create(
      { scope: orgScope(tenant.orgId) },
      { name: '  Online devices ', description: 'as it says' },
    );
    const filter = created.ok ? created.value : null;
    expect(filter).toStrictEqual({
      id: filter?.id,
      orgId: tenant.orgId,
      partnerId: null,
      name: 'Online devices',
      description: 'as it says',
      conditionsJson: JSON.stringify(ONLINE_CONDITIONS),
      createdBy: tenant.userId,
      createdAt: SOME_INSTANT,
      updatedAt: SOME_INSTANT,
      changedBy: tenant.userId,
      version: 1,
      creatorName: 'Sam Example',
    });
    expect(await listAll()).toMatchObject([{ id: filter?.id, name: 'Online devices' }]);
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: tenant.userId },
        orgId: tenant.orgId,
        partnerId: null,
        action: 'filter.create',
        result: 'success',
        resourceType: 'filter',
        resourceId: filter?.id,
        details: {},
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('made with an API key is audited as the key, and belongs to its user', async () => {
    const { service, tenant, create } = await setUp();
    const apiKeyId = newId<'api-key'>();
    const created = await create({
      scope: orgScope(tenant.orgId),
      credential: { kind: 'api-key', apiKeyId },
    });
    expect(created.ok && created.value.createdBy).toBe(tenant.userId);
    expect(service.takeEntries().map(({ actor }) => actor)).toStrictEqual([
      { type: 'api_key', id: apiKeyId },
    ]);
  });

  test.each<[string, Partial<CreateFilterInput>]>([
    ['none', { description: undefined }],
    ['null', { description: null }],
  ])('has no description if %s is sent', async (_what, input) => {
    const { tenant, create } = await setUp();
    const created = await create({ scope: orgScope(tenant.orgId) }, input);
    expect(created.ok && created.value.description).toBeNull();
  });

  test('keeps its conditions as they were sent', async () => {
    const { tenant, create } = await setUp();
    const conditions = {
      conditions: [
        { value: ['b', 'a', 'b'], field: 'tags', operator: 'hasAny' },
        { field: 'hostname', operator: 'isNull', value: null },
      ],
      operator: 'OR',
    };
    const created = await create({ scope: orgScope(tenant.orgId) }, { conditions });
    expect(created.ok && created.value.conditionsJson).toBe(JSON.stringify(conditions));
  });

  test('can be thirty thousand levels deep', async () => {
    const { tenant, create } = await setUp();
    let conditions: unknown = ONLINE_CONDITIONS;
    for (let level = 1; level < 30_000; level++) conditions = { operator: 'OR', conditions: [conditions] };
    expect((await create({ scope: orgScope(tenant.orgId) }, { conditions })).ok).toBe(true);
  });
});

describe('the organization of a new filter', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['another organization', newId()],
    ['a malformed id', 'abc'],
  ])('is the one of an organization caller, even if they send %s', async (_what, orgId) => {
    const { tenant, create } = await setUp();
    const created = await create({ scope: orgScope(tenant.orgId) }, { orgId });
    expect(created.ok && created.value.orgId).toBe(tenant.orgId);
  });

  test('is the one that a partner caller sends, in upper or lower case', async () => {
    const { service, tenant, create } = await setUp();
    const orgId = tenant.orgIds[1]?.toUpperCase();
    const created = await create({ scope: partnerOf(tenant) }, { orgId });
    expect(created.ok && created.value.orgId).toBe(tenant.orgIds[1]);
    expect(service.takeEntries().map(({ orgId, partnerId }) => [orgId, partnerId])).toStrictEqual([
      [tenant.orgIds[1], tenant.partnerId],
    ]);
  });

  test('is the one that a system caller sends', async () => {
    const { stranger, create } = await setUp();
    const created = await create({ scope: SYSTEM_SCOPE }, { orgId: stranger.orgId });
    expect(created.ok && created.value.orgId).toBe(stranger.orgId);
  });

  test.each<[string, (tenant: Tenant) => Partial<Caller>, unknown, string, string]>([
    [
      'a partner caller',
      (tenant) => ({ scope: partnerOf(tenant) }),
      undefined,
      'value_required',
      'orgId is required for partner scope',
    ],
    [
      'a partner caller',
      (tenant) => ({ scope: partnerOf(tenant) }),
      null,
      'value_required',
      'orgId is required for partner scope',
    ],
    [
      'a system caller',
      () => ({ scope: SYSTEM_SCOPE }),
      undefined,
      'value_required',
      'orgId is required for system scope',
    ],
    [
      'a partner caller',
      (tenant) => ({ scope: partnerOf(tenant) }),
      'abc',
      'invalid_value',
      'orgId must be a UUID',
    ],
    [
      'a partner caller',
      (tenant) => ({ scope: partnerOf(tenant) }),
      '',
      'invalid_value',
      'orgId must be a UUID',
    ],
    ['a system caller', () => ({ scope: SYSTEM_SCOPE }), 5, 'invalid_value', 'orgId must be a UUID'],
    [
      'a system caller',
      () => ({ scope: SYSTEM_SCOPE }),
      newId(),
      'unknown_organization',
      'orgId does not match any organization',
    ],
  ])('is refused if %s sends a wrong one (%#)', async (_who, callerOf, orgId, code, detail) => {
    const { tenant, create, listAll } = await setUp();
    expect(await create(callerOf(tenant), { orgId })).toStrictEqual(
      err({ code: 'validation_failed', detail, errors: [{ path: 'orgId', code, message: detail }] }),
    );
    expect(await listAll()).toStrictEqual([]);
  });

  test.each(['a stranger', 'nobody'])('is forbidden and audited if it belongs to %s', async (who) => {
    const { service, tenant, stranger, create, listAll } = await setUp();
    const orgId = who === 'nobody' ? newId() : stranger.orgId;
    expect(await create({ scope: partnerOf(tenant) }, { orgId, name: '' })).toStrictEqual(
      err({
        code: 'forbidden',
        detail: 'You have no access to this organization; use one that you manage.',
      }),
    );
    expect(await listAll()).toStrictEqual([]);
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: tenant.userId },
        orgId: null,
        partnerId: tenant.partnerId,
        action: 'filter.create',
        result: 'denied',
        resourceType: 'filter',
        resourceId: null,
        details: { reason: 'org-out-of-reach' },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('decides which custom fields its conditions may name', async () => {
    const { service, tenant, create } = await setUp();
    const owner = { kind: 'organization', orgId: tenant.orgId } as const;
    await loadFleet(service.backend, [aCustomField({ owner, key: 'seats', type: 'number' })]);
    const conditions = and({ field: 'custom.seats', operator: 'greaterThan', value: 5 });
    const outcomes = await Promise.all(
      tenant.orgIds.map((orgId) => create({ scope: partnerOf(tenant) }, { orgId, conditions })),
    );
    expect(outcomes.map(({ ok }) => ok)).toStrictEqual([true, false]);
  });
});

describe('the refusal of a filter', () => {
  test.each<[string, Partial<CreateFilterInput>, readonly (readonly [string, string])[]]>([
    ['no name', { name: undefined }, [['name', 'invalid_value']]],
    ['a blank name', { name: ' \t' }, [['name', 'invalid_value']]],
    ['a name that is too long', { name: 'x'.repeat(201) }, [['name', 'invalid_value']]],
    ['a description that is too long', { description: 'x'.repeat(1001) }, [['description', 'invalid_value']]],
    ['no conditions', { conditions: undefined }, [['conditions', 'not_a_group']]],
    [
      'an unknown field',
      { conditions: and({ field: 'nope', operator: 'isNull' }) },
      [['conditions.conditions[0].field', 'unknown_field']],
    ],
    [
      'a regular expression that is refused, twice',
      {
        conditions: and(
          { field: 'hostname', operator: 'matches', value: '(' },
          { field: 'hostname', operator: 'matches', value: 'fine' },
          { field: 'displayName', operator: 'matches', value: '(' },
        ),
      },
      [
        ['conditions.conditions[0].value', 'invalid_pattern'],
        ['conditions.conditions[2].value', 'invalid_pattern'],
      ],
    ],
    [
      'everything wrong at once',
      { name: 5, description: 5, conditions: { operator: 'AND', conditions: [] } },
      [
        ['name', 'invalid_value'],
        ['description', 'invalid_value'],
        ['conditions.conditions', 'empty_group'],
      ],
    ],
  ])('with %s names every fault', async (_what, input, faults) => {
    const { service, tenant, create, listAll } = await setUp();
    const outcome = await create({ scope: orgScope(tenant.orgId) }, input);
    const error = outcome.ok ? null : outcome.error;
    expect(error?.code).toBe('validation_failed');
    expect(
      error && 'errors' in error ? error.errors.map(({ path, code }) => [path, code]) : [],
    ).toStrictEqual(faults);
    expect(await listAll()).toStrictEqual([]);
    expect(service.takeEntries()).toStrictEqual([]);
  });

  test('says why a regular expression is refused', async () => {
    const { tenant, create } = await setUp();
    const conditions = and({ field: 'hostname', operator: 'matches', value: '(' });
    const message = 'The regular expression is refused: parentheses () not balanced';
    expect(await create({ scope: orgScope(tenant.orgId) }, { conditions })).toStrictEqual(
      err({
        code: 'validation_failed',
        detail: message,
        errors: [{ path: 'conditions.conditions[0].value', code: 'invalid_pattern', message }],
      }),
    );
  });

  test('names the first fault and says how many more there are', async () => {
    const { tenant, create } = await setUp();
    const outcome = await create({ scope: orgScope(tenant.orgId) }, { name: '', description: 5 });
    expect(outcome.ok ? '' : outcome.error.detail).toBe(
      'name must have 1 to 200 characters after trimming; it has 0 (and 1 more; see errors)',
    );
  });

  test('names a missing orgId first, whatever else is wrong', async () => {
    const { tenant, create } = await setUp();
    const outcome = await create({ scope: partnerOf(tenant) }, { name: '', conditions: null });
    const error = outcome.ok ? null : outcome.error;
    expect(error?.detail).toBe('orgId is required for partner scope');
    expect(error && 'errors' in error ? error.errors.map(({ path }) => path) : []).toStrictEqual([
      'orgId',
      'name',
      'conditions',
    ]);
  });

  test('names a hundred faults at most', async () => {
    const { tenant, create } = await setUp();
    const conditions = and(...Array.from({ length: 150 }, () => ({ field: 'nope', operator: 'isNull' })));
    const outcome = await create({ scope: orgScope(tenant.orgId) }, { name: '', conditions });
    const error = outcome.ok ? null : outcome.error;
    expect(error && 'errors' in error ? error.errors.length : 0).toBe(100);
  });
});
