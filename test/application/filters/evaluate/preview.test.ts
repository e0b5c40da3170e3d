/** POST /filters/preview and /filters/:id/preview (Spec: Preview result; Contract: §4, §5, §8). */
import { describe, expect, test } from 'vitest';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCall,
  aCustomField,
  aDevice,
  aSavedFilter,
  newId,
  ONLINE_CONDITIONS,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { type MemoryServiceOptions, makeMemoryService } from '#test/support/memory-service.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Two organizations of a partner, each with a device that is online and one that is not, and a stranger's. */
async function setUp(options: MemoryServiceOptions = {}) {
  const service = makeMemoryService(options);
  const tenant = await createTenant(service.backend, 2);
  const stranger = await createTenant(service.backend);
  const [one, two] = tenant.orgIds as [OrgId, OrgId];
  const named = (orgId: OrgId, name: string) => [
    aDevice({ orgId, hostname: `${name}-on` }),
    aDevice({ orgId, hostname: `${name}-off`, status: 'offline' }),
  ];
  await loadFleet(service.backend, [
    ...named(one, 'one'),
    ...named(two, 'two'),
    ...named(stranger.orgId, 'stranger'),
  ]);
  const partner = partnerScope(tenant.partnerId, tenant.orgIds);
  const callIn = (scope: AccessScope) => aCall({ userId: tenant.userId, scope });
  const preview = (scope: AccessScope, conditions: unknown = ONLINE_CONDITIONS, limit: unknown = undefined) =>
    service.previewConditions(callIn(scope), { conditions, limit });
  const save = async (orgId: OrgId, conditions: unknown = ONLINE_CONDITIONS) => {
    const filter = aSavedFilter({
      orgId,
      createdBy: tenant.userId,
      conditionsJson: JSON.stringify(conditions),
    });
    await service.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
    return filter;
  };
  return { service, tenant, stranger, one, two, partner, callIn, preview, save };
}

type Outcome = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['preview']>>;

/** Count and hostnames, or the code of the error. */
function summaryOf(outcome: Outcome): unknown {
  return outcome.ok
    ? [outcome.value.totalCount, outcome.value.devices.map(({ hostname }) => hostname)]
    : outcome.error.code;
}

describe('previewing conditions', () => {
  test('covers every organization in reach, and no other', async () => {
    const { one, partner, preview } = await setUp();
    expect(summaryOf(await preview(orgScope(one)))).toStrictEqual([1, ['one-on']]);
    expect(summaryOf(await preview(partner))).toStrictEqual([2, ['one-on', 'two-on']]);
    expect(summaryOf(await preview(SYSTEM_SCOPE))).toStrictEqual([3, ['one-on', 'stranger-on', 'two-on']]);
  });

  test('ends its turn between the evaluation and the audit entry', async () => {
    const order: string[] = [];
    const { service, partner, callIn } = await setUp({
      change: ({ matcher, auditLog }) => ({
        matcher: {
          ...matcher,
          preview: async (...args) => {
            const matches = await matcher.preview(...args);
            order.push('evaluated');
            return matches;
          },
        },
        auditLog: async (entry) => {
          order.push('recorded');
          await auditLog(entry);
        },
      }),
    });
    const call = { ...callIn(partner), endTurn: () => void order.push('turn ended') };
    await service.previewConditions(call, { conditions: ONLINE_CONDITIONS, limit: 1 });
    expect(order).toStrictEqual(['evaluated', 'turn ended', 'recorded']);
  });

  test('is answered with the instant of evaluation, and audited with the count', async () => {
    const { service, tenant, partner, preview } = await setUp();
    service.moveClockTo(SOME_INSTANT + 5);
    const outcome = await preview(partner, ONLINE_CONDITIONS, 1);
    expect(outcome).toStrictEqual(
      ok({
        totalCount: 2,
        devices: outcome.ok ? [outcome.value.devices[0]] : [],
        evaluatedAt: SOME_INSTANT + 5,
      }),
    );
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT + 5,
        actor: { type: 'user', id: tenant.userId },
        orgId: null,
        partnerId: tenant.partnerId,
        action: 'filter.preview',
        result: 'success',
        resourceType: 'filter',
        resourceId: null,
        details: { totalCount: 2 },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('is audited under the organization of its caller', async () => {
    const { service, one, preview } = await setUp();
    await preview(orgScope(one));
    expect(service.takeEntries().map(({ orgId, partnerId }) => [orgId, partnerId])).toStrictEqual([
      [one, null],
    ]);
  });

  test('lists ten devices unless another limit is sent', async () => {
    const { service, one, preview } = await setUp();
    await loadFleet(
      service.backend,
      Array.from({ length: 20 }, () => aDevice({ orgId: one })),
    );
    const sizes = await Promise.all(
      [undefined, 1, 15, 100].map(async (limit) => {
        const outcome = await preview(orgScope(one), ONLINE_CONDITIONS, limit);
        return outcome.ok && [outcome.value.totalCount, outcome.value.devices.length];
      }),
    );
    expect(sizes).toStrictEqual([
      [21, 10],
      [21, 1],
      [21, 15],
      [21, 21],
    ]);
  });

  test.each([0, 101, -1, 1.5, '5', null, true, [5], Number.NaN])('refuses a limit of %j', async (limit) => {
    const { service, partner, preview } = await setUp();
    const message = 'limit must be a whole number from 1 to 100';
    expect(await preview(partner, ONLINE_CONDITIONS, limit)).toStrictEqual(
      err({
        code: 'validation_failed',
        detail: message,
        errors: [{ path: 'limit', code: 'out_of_range', message }],
      }),
    );
    expect(service.takeEntries()).toStrictEqual([]);
  });

  test('shows an example of conditions if none are sent', async () => {
    const { service, partner, callIn } = await setUp();
    const nothing = { conditions: undefined, limit: undefined };
    const outcome = await service.previewConditions(callIn(partner), nothing);
    const message =
      'conditions is required: a group such as {"operator":"AND","conditions":[{"field":"status","operator":"equals","value":"online"}]}';
    expect(outcome).toStrictEqual(
      err({
        code: 'validation_failed',
        detail: message,
        errors: [{ path: 'conditions', code: 'not_a_group', message }],
      }),
    );
  });

  test('names the faults of limit and conditions at once', async () => {
    const { partner, preview } = await setUp();
    const outcome = await preview(partner, and({ field: 'nope', operator: 'isNull' }), 0);
    const error = outcome.ok ? null : outcome.error;
    expect(error && 'errors' in error ? error.errors.map(({ path }) => path) : []).toStrictEqual([
      'limit',
      'conditions.conditions[0].field',
    ]);
  });

  test('refuses a custom field with two types among the organizations in reach, but takes it in each alone', async () => {
    const { service, one, two, partner, preview } = await setUp();
    const seats = (orgId: OrgId, type: 'number' | 'text') =>
      aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats', type });
    await loadFleet(service.backend, [seats(one, 'number'), seats(two, 'text')]);
    const conditions = and({ field: 'custom.seats', operator: 'isNull' });
    expect(summaryOf(await preview(partner, conditions))).toBe('ambiguous_custom_field');
    expect(summaryOf(await preview(orgScope(one), conditions))).toStrictEqual([2, ['one-off', 'one-on']]);
    expect(summaryOf(await preview(orgScope(two), conditions))).toStrictEqual([2, ['two-off', 'two-on']]);
    const both = and({ field: 'custom.seats', operator: 'isNull' }, { field: 'nope', operator: 'isNull' });
    expect(summaryOf(await preview(partner, both))).toBe('validation_failed');
  });

  test('is refused and audited if it takes too long', async () => {
    const { service, partner, preview } = await setUp({ filterTimeoutMs: 0 });
    expect(await preview(partner)).toStrictEqual(
      err({
        code: 'filter_timeout',
        detail:
          'The filter took too long to evaluate; make it simpler, or narrow it with a cheaper condition.',
      }),
    );
    expect(service.takeEntries().map(({ result, details }) => ({ result, details }))).toStrictEqual([
      { result: 'denied', details: { reason: 'timeout' } },
    ]);
  });

  test('is given up and audited if the client has gone away', async () => {
    const { service, partner, callIn } = await setUp();
    const call = { ...callIn(partner), signal: AbortSignal.abort() };
    const outcome = await service.previewConditions(call, {
      conditions: ONLINE_CONDITIONS,
      limit: undefined,
    });
    expect(outcome).toStrictEqual(err({ code: 'cancelled', detail: 'The client closed the request.' }));
    expect(service.takeEntries().map(({ result, details }) => ({ result, details }))).toStrictEqual([
      { result: 'denied', details: { reason: 'cancelled' } },
    ]);
  });

  test('reports a regular expression that is refused only when it runs', async () => {
    const { partner, preview } = await setUp({ change: () => ({ checkPatterns: async () => new Map() }) });
    const outcome = await preview(partner, and({ field: 'hostname', operator: 'matches', value: '(' }));
    const message = 'a regular expression is refused: parentheses () not balanced';
    expect(outcome).toStrictEqual(
      err({
        code: 'validation_failed',
        detail: message,
        errors: [{ path: 'conditions', code: 'invalid_pattern', message }],
      }),
    );
  });
});

describe('previewing a saved filter', () => {
  test('covers its organization only, for every caller', async () => {
    const { service, two, partner, callIn, save } = await setUp();
    const filter = await save(two);
    const outcomes = await Promise.all(
      [orgScope(two), partner, SYSTEM_SCOPE].map((scope) =>
        service.previewFilter(callIn(scope), filter.id, 10),
      ),
    );
    expect(outcomes.map(summaryOf)).toStrictEqual(outcomes.map(() => [1, ['two-on']]));
  });

  test('is audited under the filter and its organization', async () => {
    const { service, tenant, two, partner, callIn, save } = await setUp();
    const filter = await save(two);
    await service.previewFilter(callIn(partner), filter.id, 10);
    expect(service.takeEntries()).toStrictEqual([
      {
        at: SOME_INSTANT,
        actor: { type: 'user', id: tenant.userId },
        orgId: two,
        partnerId: tenant.partnerId,
        action: 'filter.saved.preview',
        result: 'success',
        resourceType: 'filter',
        resourceId: filter.id,
        details: { totalCount: 1 },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  });

  test('finds nothing out of reach, and the attempt is audited', async () => {
    const { service, one, two, callIn, save } = await setUp();
    const filter = await save(two);
    expect(await service.previewFilter(callIn(orgScope(one)), filter.id, 10)).toStrictEqual(
      err(FILTER_NOT_FOUND),
    );
    expect(
      service.takeEntries().map(({ action, result, orgId, resourceId, details }) => ({
        action,
        result,
        orgId,
        resourceId,
        details,
      })),
    ).toStrictEqual([
      {
        action: 'filter.saved.preview',
        result: 'denied',
        orgId: one,
        resourceId: filter.id,
        details: { reason: 'not_found' },
      },
    ]);
  });

  test('reads custom fields as its organization defines them', async () => {
    const { service, one, two, partner, callIn, save } = await setUp();
    const seats = (orgId: OrgId, type: 'number' | 'text') =>
      aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats', type });
    await loadFleet(service.backend, [
      seats(one, 'number'),
      seats(two, 'text'),
      aDevice({ orgId: one, hostname: 'one-9', custom: new Map([['seats', 9]]) }),
    ]);
    const filter = await save(one, and({ field: 'custom.seats', operator: 'lessThan', value: 10 }));
    expect(summaryOf(await service.previewFilter(callIn(partner), filter.id, 10))).toStrictEqual([
      1,
      ['one-9'],
    ]);
  });

  test('is refused with the name of a missing field, and the filter stays', async () => {
    const { service, one, callIn, save } = await setUp();
    const field = aCustomField({ owner: { kind: 'organization', orgId: one }, key: 'seats' });
    await loadFleet(service.backend, [field]);
    const filter = await save(one, and({ field: 'custom.seats', operator: 'isNull' }));
    await loadFleet(service.backend, [{ ...field, key: 'renamed' }]);
    const outcome = await service.previewFilter(callIn(orgScope(one)), filter.id, 10);
    expect(outcome.ok ? '' : outcome.error.detail).toContain('No field "custom.seats"');
    expect(await service.readFilter(callIn(orgScope(one)), filter.id)).toMatchObject(ok(filter));
    expect(await Array.fromAsync(service.listFilters(callIn(orgScope(one)), ''))).toMatchObject([filter]);
  });
});

describe('resolving a saved filter to ids', () => {
  test('streams every device of its organization that matches', async () => {
    const { service, two, partner, callIn, save } = await setUp();
    const filter = await save(two);
    const outcome = await service.resolveFilter(callIn(partner), filter.id);
    const ids = outcome.ok ? (await Array.fromAsync(outcome.value)).flat() : [];
    const found = await service.previewFilter(callIn(partner), filter.id, 10);
    expect(ids).toStrictEqual(found.ok ? found.value.devices.map(({ id }) => id) : []);
    expect(ids).toHaveLength(1);
  });

  test('finds nothing if the filter does not exist or is out of reach', async () => {
    const { service, one, two, callIn, save } = await setUp();
    const filter = await save(two);
    expect(await service.resolveFilter(callIn(orgScope(one)), filter.id)).toStrictEqual(
      err(FILTER_NOT_FOUND),
    );
    expect(await service.resolveFilter(callIn(SYSTEM_SCOPE), newId())).toStrictEqual(err(FILTER_NOT_FOUND));
  });

  test('is refused if a field of the filter is gone', async () => {
    const { service, one, callIn, save } = await setUp();
    const filter = await save(one, and({ field: 'custom.gone', operator: 'isNull' }));
    const outcome = await service.resolveFilter(callIn(orgScope(one)), filter.id);
    expect(outcome.ok ? '' : outcome.error.code).toBe('validation_failed');
  });

  test('is cancelled when the client goes away', async () => {
    const { service, two, callIn, save } = await setUp();
    const filter = await save(two);
    const call = { ...callIn(SYSTEM_SCOPE), signal: AbortSignal.abort() };
    const outcome = await service.resolveFilter(call, filter.id);
    if (!outcome.ok) throw new Error('the filter was refused');
    await expect(Array.fromAsync(outcome.value)).rejects.toThrow('cancelled');
  });
});

describe('listing the fields', () => {
  test('returns the core fields, then the custom fields of the organizations in reach, by key', async () => {
    const { service, one, two, partner, callIn } = await setUp();
    const define = (orgId: OrgId, key: string, type: 'number' | 'text') =>
      aCustomField({ owner: { kind: 'organization', orgId }, key, type });
    await loadFleet(service.backend, [
      define(two, 'b', 'text'),
      define(one, 'c', 'text'),
      define(one, 'a', 'number'),
      define(two, 'a', 'text'),
    ]);
    const list = async (scope: AccessScope) =>
      (await service.listFields(callIn(scope))).map((entry) =>
        entry.kind === 'field' ? entry.field.key : `${entry.key}?`,
      );
    const core = await list(orgScope(newId()));
    expect(core).toContain('hostname');
    expect(await list(orgScope(one))).toStrictEqual([...core, 'custom.a', 'custom.c']);
    expect(await list(partner)).toStrictEqual([...core, 'custom.a?', 'custom.b', 'custom.c']);
  });
});
