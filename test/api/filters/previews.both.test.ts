/** Previews over HTTP: a test for each line of the specification and of contract §5. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Ask,
  FILTERS,
  filterOf,
  hostnamesOf,
  listOf,
  PREVIEW,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { canaryOf } from '#test/api/service/tenants.ts';
import { aCustomField, aDevice, newId } from '#test/support/builders.ts';
import { INSTANT, UUID_V7 } from '#test/support/shapes.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { createFilter, urlOf } from './saved-filters.ts';

let service: TestService;
let asUser: Ask;
let asPartner: Ask;
let asSystem: Ask;

beforeAll(async () => {
  service = await startService();
  asUser = service.as('A-user');
  asPartner = service.as('P-all');
  asSystem = service.as('system');
});

afterAll(() => service.close());

const create = (body: object = {}, ask = asUser) => createFilter(ask, body);
const createGood = async (body: object = {}, ask = asUser) => filterOf(await create(body, ask));

describe('POST /filters/preview', () => {
  const preview = (body: object, ask = asUser) => ask('POST', PREVIEW, body);
  const EVERYWHERE = {
    operator: 'AND',
    conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
  };

  test('answers with total, devices and the time of evaluation', async () => {
    const before = Date.now();
    const answer = await preview({ conditions: EVERYWHERE });
    const { evaluatedAt, devices } = previewOf(answer);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        data: {
          totalCount: 3,
          devices: [1, 2, 3].map((number) => ({
            id: expect.stringMatching(UUID_V7),
            hostname: `${canaryOf('A')}-${number}`,
            displayName: `Device ${number} of A`,
            osType: null,
            status: 'online',
            lastSeenAt: null,
          })),
          evaluatedAt: expect.stringMatching(INSTANT),
        },
      },
    ]);
    expect(Date.parse(evaluatedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(evaluatedAt)).toBeLessThanOrEqual(Date.now());
    expect(devices).toHaveLength(3);
  });

  test('covers every organization that the caller reaches', async () => {
    const totals: Record<string, number> = {};
    for (const name of [
      'A-user',
      'P-all',
      'P-subset',
      'P-none',
      'Q-all',
      'system',
      'key-P',
      'key-P-to-A',
      'key-P-to-C',
      'key-A-to-C',
    ] as const) {
      totals[name] = previewOf(await preview({ conditions: EVERYWHERE }, service.as(name))).totalCount;
    }
    expect(totals).toStrictEqual({
      'A-user': 3,
      'P-all': 5,
      'P-subset': 3,
      'P-none': 0,
      'Q-all': 1,
      system: 6,
      'key-P': 5,
      'key-P-to-A': 3,
      'key-P-to-C': 0,
      'key-A-to-C': 0,
    });
  });

  test('has at most limit devices over all organizations, 10 by default', async () => {
    const { orgIds } = service.tenants;
    const names = Array.from({ length: 120 }, (_, i) => `limit-${String(i).padStart(3, '0')}`);
    await loadFleet(
      service.composition.backend,
      names.map((hostname, i) => aDevice({ orgId: i % 2 === 0 ? orgIds.A : orgIds.B, hostname })),
    );
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'startsWith', value: 'limit-' }],
    };
    for (const [limit, count] of [
      [undefined, 10],
      [1, 1],
      [10, 10],
      [100, 100],
    ] as const) {
      const { totalCount, devices } = previewOf(await preview({ conditions, limit }, asPartner));
      expect([totalCount, devices.map(({ hostname }) => hostname)]).toStrictEqual([
        120,
        names.slice(0, count),
      ]);
    }
  });

  test('sorts devices by lower-cased hostname in code point order, then by id', async () => {
    const orgId = service.tenants.orgIds.A;
    const hostnames = [
      'order-b',
      'order-A',
      'ORDER-_',
      'order-a',
      'order-Z',
      'order-ä',
      'order-10',
      'order-9',
      'order-🦊',
      'order-\uffee',
    ];
    const devices = hostnames.map((hostname) => aDevice({ orgId, hostname }));
    await loadFleet(service.composition.backend, devices.toReversed());
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'startsWith', value: 'order-' }],
    };
    expect(hostnamesOf(await preview({ conditions, limit: 100 }))).toStrictEqual([
      'order-10',
      'order-9',
      'ORDER-_',
      'order-A',
      'order-a',
      'order-b',
      'order-Z',
      'order-ä',
      'order-\uffee',
      'order-🦊',
    ]);
  });

  test.each([0, 101, -1, 1.5, '10', 'abc', '', null, true, [], {}])('refuses the limit %j', async (limit) => {
    expect(refusalOf(await preview({ conditions: EVERYWHERE, limit }))).toStrictEqual([
      400,
      'validation_failed',
      ['limit', 'out_of_range'],
    ]);
  });

  test('ignores unknown members, and orgId is one of them', async () => {
    const answer = await preview({
      conditions: EVERYWHERE,
      orgId: service.tenants.orgIds.C,
      offset: 5,
      name: 1,
    });
    expect(previewOf(answer).totalCount).toBe(3);
  });

  test('a condition on orgId narrows the reach and never widens it', async () => {
    const { orgIds } = service.tenants;
    const within = (orgId: string) => ({
      conditions: {
        operator: 'AND',
        conditions: [...EVERYWHERE.conditions, { field: 'orgId', operator: 'equals', value: orgId }],
      },
    });
    expect(previewOf(await preview(within(orgIds.B), asPartner)).totalCount).toBe(2);
    expect(previewOf(await preview(within(orgIds.C), asPartner)).totalCount).toBe(0);
    expect(previewOf(await preview(within(newId()), asPartner)).totalCount).toBe(0);
    expect(previewOf(await preview(within(orgIds.C), asSystem)).totalCount).toBe(1);
  });
});

describe('POST /filters/:id/preview', () => {
  test('covers the organization of the filter for every caller', async () => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    for (const name of ['A-user', 'P-all', 'P-subset', 'system', 'key-P'] as const) {
      const { totalCount, devices } = previewOf(await service.as(name)('POST', url));
      expect([totalCount, devices.length]).toStrictEqual([3, 3]);
    }
  });

  test('takes limit from the query and needs no body', async () => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    expect(previewOf(await asUser('POST', `${url}?limit=2`)).devices).toHaveLength(2);
    expect(previewOf(await asUser('POST', `${url}?limit=100`)).devices).toHaveLength(3);
    expect(previewOf(await asUser('POST', url, '{"limit":1}')).devices).toHaveLength(3);
    expect(previewOf(await asUser('POST', url, '', { 'Content-Type': 'text/plain' })).devices).toHaveLength(
      3,
    );
  });

  test.each([
    ['{"limit":', 'application/json', 400, 'invalid_json'],
    ['{}', 'text/plain', 415, 'unsupported_media_type'],
  ])('refuses %s as %s, as every route does', async (body, type, status, code) => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    expect(refusalOf(await asUser('POST', url, body, { 'Content-Type': type }))).toStrictEqual([
      status,
      code,
    ]);
  });

  test.each(['0', '101', '1.5', 'abc', '', '-1', '+5', '1e1', '0x10', '007', '%2010', '5&limit=6'])(
    'refuses limit=%s',
    async (limit) => {
      const url = `${FILTERS}/${service.tenants.filters.A.id}/preview?limit=${limit}`;
      const answer = await asUser('POST', url);
      expect([answer.status, problemOf(answer).code, problemOf(answer).errors?.[0]?.path]).toStrictEqual([
        400,
        'validation_failed',
        'limit',
      ]);
    },
  );

  test('foreign, unknown and malformed ids are 404', async () => {
    for (const id of [service.tenants.filters.C.id, newId(), 'nonsense', 'fields']) {
      expect(refusalOf(await asUser('POST', `${FILTERS}/${id}/preview`))).toStrictEqual([404, 'not_found']);
    }
  });

  test('an organization’s definition of a custom field takes precedence over its partner’s', async () => {
    const { orgIds, partnerIds } = service.tenants;
    await loadFleet(service.composition.backend, [
      aCustomField({ owner: { kind: 'partner', partnerId: partnerIds.P }, key: 'level', type: 'number' }),
      aCustomField({ owner: { kind: 'organization', orgId: orgIds.B }, key: 'level', type: 'text' }),
      aDevice({ orgId: orgIds.A, hostname: 'level-a', custom: new Map([['level', 10]]) }),
      aDevice({ orgId: orgIds.B, hostname: 'level-b', custom: new Map([['level', '10']]) }),
    ]);
    const conditions = (value: unknown, operator: string) => ({
      operator: 'AND',
      conditions: [{ field: 'custom.level', operator, value }],
    });
    const numeric = await createGood(
      { orgId: orgIds.A, conditions: conditions(9, 'greaterThan') },
      asPartner,
    );
    const textual = await createGood(
      { orgId: orgIds.B, conditions: conditions('1', 'startsWith') },
      asPartner,
    );
    expect(hostnamesOf(await asPartner('POST', `${urlOf(numeric)}/preview`))).toStrictEqual(['level-a']);
    expect(hostnamesOf(await asPartner('POST', `${urlOf(textual)}/preview`))).toStrictEqual(['level-b']);
    expect(
      refusalOf(await create({ orgId: orgIds.B, conditions: conditions(9, 'greaterThan') }, asPartner)),
    ).toStrictEqual([
      400,
      'validation_failed',
      ['conditions.conditions[0].operator', 'operator_not_allowed'],
    ]);
    const adHoc = await asPartner('POST', PREVIEW, { conditions: conditions(9, 'greaterThan') });
    expect(refusalOf(adHoc)).toStrictEqual([
      400,
      'ambiguous_custom_field',
      ['conditions.conditions[0].field', 'ambiguous_custom_field'],
    ]);
    const listed = (await asPartner('GET', `${FILTERS}/fields`)).body as { data: { key: string }[] };
    expect(listed.data.filter(({ key }) => key === 'custom.level')).toStrictEqual([
      { key: 'custom.level', label: 'level', category: 'custom', operators: [], ambiguous: true },
    ]);
  });

  test('a filter whose field is gone can be read, and the refusal of its preview names the field', async () => {
    const { orgIds } = service.tenants;
    const field = aCustomField({ owner: { kind: 'organization', orgId: orgIds.A }, key: 'short_lived' });
    await loadFleet(service.composition.backend, [field]);
    const created = await createGood({
      conditions: { operator: 'AND', conditions: [{ field: 'custom.short_lived', operator: 'isNull' }] },
    });
    await service.probe.removeCustomField(field.id);
    expect(filterOf(await asUser('GET', urlOf(created)))).toStrictEqual(created);
    expect(listOf(await asUser('GET', FILTERS)).data).toContainEqual(created);
    const answer = await asUser('POST', `${urlOf(created)}/preview`);
    expect(refusalOf(answer)).toStrictEqual([
      400,
      'validation_failed',
      ['conditions.conditions[0].field', 'unknown_field'],
    ]);
    expect(problemOf(answer).detail).toContain('custom.short_lived');
    expect(filterOf(await asUser('PATCH', urlOf(created), { name: 'Renamed all the same' })).name).toBe(
      'Renamed all the same',
    );
  });
});
