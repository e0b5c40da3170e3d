/** The routes under /api/v1/filters: what a request asks of its use case, and how its result is answered. */
import { describe, expect, test } from 'vitest';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { PreviewDevice } from '#domain/device/device-row.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { err, ok } from '#domain/result.ts';
import { aSavedFilter, newId, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import {
  AS_USER,
  aProblem,
  FILTER,
  FILTER_BODY,
  FILTER_ID,
  FILTER_URL,
  fakeHttp,
  inPieces,
  ORG_ID,
  REQUEST_ID,
  USER,
  withJson,
} from '#test/support/http/http-fakes.ts';

const NOT_FOUND = aProblem('not_found', 404, 'Not found', FILTER_NOT_FOUND.detail);

/** The first argument of every use case. */
const CALL = {
  caller: USER,
  requestId: REQUEST_ID,
  ip: null,
  signal: expect.any(AbortSignal),
  endTurn: expect.any(Function),
  reachNow: expect.any(Function),
};

describe('GET /filters', () => {
  test('answers with every filter and their number', async () => {
    const { app, filters } = fakeHttp();
    const other = {
      ...aSavedFilter({ orgId: ORG_ID, createdBy: USER.userId, description: 'All "idle" ones' }),
      creatorName: null,
    };
    filters.listFilters.mockReturnValue(inPieces(FILTER, other));
    const response = await app.request('/api/v1/filters', { headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([
      200,
      {
        data: [
          FILTER_BODY,
          {
            id: other.id,
            orgId: ORG_ID,
            partnerId: null,
            name: other.name,
            description: 'All "idle" ones',
            conditions: ONLINE_CONDITIONS,
            createdBy: USER.userId,
            creator: null,
            createdAt: '2026-02-10T08:00:00.000Z',
            updatedAt: '2026-02-10T08:00:00.000Z',
          },
        ],
        total: 2,
      },
    ]);
  });

  test('answers with an empty list where there is no filter', async () => {
    const { app, filters } = fakeHttp();
    filters.listFilters.mockReturnValue(inPieces());
    const response = await app.request('/api/v1/filters', { headers: AS_USER });
    expect(await response.text()).toBe('{"data":[],"total":0}');
  });

  test.each([
    ['', ''],
    ['?search=', ''],
    ['?search=idle', 'idle'],
    ['?search=100%25%20_%5C', '100% _\\'],
    ['?search=a+b', 'a b'],
    ['?search=%C3%A4', 'ä'],
    ['?search=idle&search=idle', 'idle'],
    ['?Search=idle', ''],
    ['?unknown=1', ''],
  ])('with %j searches for %j', async (query, search) => {
    const { app, filters } = fakeHttp();
    await app.request(`/api/v1/filters${query}`, { headers: AS_USER });
    expect(filters.listFilters.mock.calls).toStrictEqual([[CALL, search]]);
  });

  test('refuses two different searches at once', async () => {
    const { app, filters } = fakeHttp();
    const response = await app.request('/api/v1/filters?search=a&search=b', { headers: AS_USER });
    const message = 'search appears more than once with different values';
    expect([response.status, await response.json()]).toStrictEqual([
      400,
      aProblem('validation_failed', 400, 'Validation failed', message, [
        { path: 'search', code: 'repeated_parameter', message },
      ]),
    ]);
    expect(filters.listFilters).not.toHaveBeenCalled();
  });
});

describe('POST /filters', () => {
  test('answers 201 with the filter, its address and its ETag', async () => {
    const { app } = fakeHttp();
    const response = await app.request('/api/v1/filters', withJson('POST', { name: 'x' }));
    expect([response.status, await response.json()]).toStrictEqual([201, FILTER_BODY]);
    expect(response.headers.get('Location')).toBe(FILTER_URL);
    expect(response.headers.get('ETag')).toBe('"3"');
  });

  test('passes on what was sent, and nothing that the server owns', async () => {
    const { app, filters } = fakeHttp();
    const body = {
      name: ' x ',
      description: null,
      conditions: ONLINE_CONDITIONS,
      orgId: 7,
      partnerId: 8,
      id: newId(),
      createdBy: newId(),
      createdAt: 'yesterday',
      updatedAt: 'today',
      version: 9,
      whatever: true,
    };
    await app.request('/api/v1/filters', withJson('POST', body));
    expect(filters.createFilter.mock.calls).toStrictEqual([
      [CALL, { name: ' x ', description: null, conditions: ONLINE_CONDITIONS, orgId: 7, partnerId: 8 }],
    ]);
  });

  test('passes on an empty object as five missing members', async () => {
    const { app, filters } = fakeHttp();
    await app.request('/api/v1/filters', withJson('POST', {}));
    expect(filters.createFilter.mock.calls).toStrictEqual([
      [
        CALL,
        {
          name: undefined,
          description: undefined,
          conditions: undefined,
          orgId: undefined,
          partnerId: undefined,
        },
      ],
    ]);
  });

  test('takes nothing from a __proto__ or constructor that was sent', async () => {
    const { app, filters } = fakeHttp();
    const body = '{"__proto__":{"name":"evil","polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const response = await app.request('/api/v1/filters', { ...withJson('POST', {}), body });
    expect(response.status).toBe(201);
    expect(filters.createFilter.mock.calls[0]?.[1].name).toBeUndefined();
    expect('polluted' in {}).toBe(false);
  });
});

describe('GET /filters/:id', () => {
  test('answers with the documented fields and no other', async () => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([200, FILTER_BODY]);
    expect(filters.readFilter.mock.calls).toStrictEqual([[CALL, FILTER_ID]]);
  });

  test('takes an id in capitals for the same id', async () => {
    const { app, filters } = fakeHttp();
    await app.request(FILTER_URL.replace(FILTER_ID, FILTER_ID.toUpperCase()), { headers: AS_USER });
    expect(filters.readFilter.mock.calls).toStrictEqual([[CALL, FILTER_ID]]);
  });

  test.each([
    ['0001-01-01T00:00:00.000Z', -62_135_596_800_000],
    ['1969-12-31T23:59:59.999Z', -1],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('writes %s with milliseconds', async (text, createdAt) => {
    const { app, filters } = fakeHttp();
    filters.readFilter.mockResolvedValue(ok({ ...FILTER, createdAt }));
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect(await response.json()).toStrictEqual({ ...FILTER_BODY, createdAt: text });
  });

  test.each([
    '{"operator":"OR","conditions":[{"value":1e2,"operator":"equals","field":"hardware.cpuCores"}]}',
    '{"operator":"AND","conditions":[{"field":"hostname","operator":"equals","value":"\\u2028ä😀\\"\\\\"}]}',
    '{"operator":"AND","conditions":[{"field":"metrics.cpuPercent","operator":"equals","value":-0.0}]}',
  ])('answers the tree %s with the text that was stored', async (conditionsJson) => {
    const { app, filters } = fakeHttp();
    filters.readFilter.mockResolvedValue(ok({ ...FILTER, conditionsJson }));
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect(await response.text()).toContain(`,"conditions":${conditionsJson},`);
  });
});

describe('a tree of 30,000 levels', () => {
  const depth = 30_000;
  const deep = `${'{"operator":"AND","conditions":['.repeat(depth)}{"field":"status","operator":"equals","value":"online"}${']}'.repeat(depth)}`;

  test('is accepted', async () => {
    const { app, filters } = fakeHttp();
    const body = `{"name":"deep","conditions":${deep}}`;
    const response = await app.request('/api/v1/filters', { ...withJson('POST', {}), body });
    expect(response.status).toBe(201);
    expect(JSON.stringify(filters.createFilter.mock.calls[0]?.[1].conditions)).toBe(deep);
  });

  test('is answered, alone and in a list', async () => {
    const { app, filters } = fakeHttp();
    const filter = { ...FILTER, conditionsJson: deep };
    filters.readFilter.mockResolvedValue(ok(filter));
    filters.listFilters.mockReturnValue(inPieces(filter, filter));
    const one = await (await app.request(FILTER_URL, { headers: AS_USER })).text();
    const two = await (await app.request('/api/v1/filters', { headers: AS_USER })).text();
    expect(one).toContain(`"conditions":${deep},`);
    expect(two).toBe(`{"data":[${one},${one}],"total":2}`);
  });
});

describe('PATCH /filters/:id', () => {
  test('answers 200 with the filter and its ETag', async () => {
    const { app } = fakeHttp();
    const response = await app.request(FILTER_URL, withJson('PATCH', { name: 'x' }));
    expect([response.status, await response.json()]).toStrictEqual([200, FILTER_BODY]);
    expect(response.headers.get('ETag')).toBe('"3"');
  });

  test('passes on the three fields that can change, null included, and no other', async () => {
    const { app, filters } = fakeHttp();
    const body = { name: 'x', description: null, conditions: [], orgId: newId(), id: newId(), createdAt: 1 };
    await app.request(FILTER_URL, withJson('PATCH', body));
    expect(filters.updateFilter.mock.calls).toStrictEqual([
      [
        CALL,
        FILTER_ID,
        { name: 'x', description: null, conditions: [], confirm: undefined },
        { kind: 'none' },
      ],
    ]);
  });

  test('with an empty object changes nothing', async () => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, withJson('PATCH', {}));
    expect(response.status).toBe(200);
    expect(filters.updateFilter.mock.calls).toStrictEqual([
      [
        CALL,
        FILTER_ID,
        { name: undefined, description: undefined, conditions: undefined, confirm: undefined },
        { kind: 'none' },
      ],
    ]);
  });
});

describe('DELETE /filters/:id', () => {
  test('answers 200 with the deleted filter, and without an ETag', async () => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, { method: 'DELETE', headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([200, FILTER_BODY]);
    expect(response.headers.get('ETag')).toBeNull();
    expect(filters.deleteFilter.mock.calls).toStrictEqual([
      [CALL, FILTER_ID, { kind: 'none' }, { isForced: false, confirm: undefined }],
    ]);
  });
});

describe('a preview', () => {
  const device: PreviewDevice = {
    id: newId<'device'>(),
    hostname: 'srv-1',
    displayName: 'Server "1"',
    osType: 'linux',
    status: 'online',
    lastSeenAt: Date.UTC(2026, 1, 10, 7, 59, 59, 1),
  };
  const silent: PreviewDevice = {
    id: newId<'device'>(),
    hostname: 'srv-2',
    displayName: null,
    osType: null,
    status: 'pending',
    lastSeenAt: null,
  };
  // The use case knows more of a device than the answer may show.
  const secret = { ...silent, orgId: ORG_ID, lastUser: 'nobody' };
  const result = { totalCount: 12, devices: [device, secret], evaluatedAt: Date.UTC(2026, 1, 10, 8) };
  const body = {
    data: {
      totalCount: 12,
      devices: [{ ...device, lastSeenAt: '2026-02-10T07:59:59.001Z' }, silent],
      evaluatedAt: '2026-02-10T08:00:00.000Z',
    },
  };

  test('of conditions answers with count, devices and time', async () => {
    const { app, filters } = fakeHttp();
    filters.previewConditions.mockResolvedValue(ok(result));
    const sent = { conditions: ONLINE_CONDITIONS, limit: 2, orgId: newId() };
    const response = await app.request('/api/v1/filters/preview', withJson('POST', sent));
    expect([response.status, await response.json()]).toStrictEqual([200, body]);
    expect(filters.previewConditions.mock.calls).toStrictEqual([
      [CALL, { conditions: ONLINE_CONDITIONS, limit: 2 }],
    ]);
  });

  test('of a saved filter answers the same way', async () => {
    const { app, filters } = fakeHttp();
    filters.previewFilter.mockResolvedValue(ok(result));
    const response = await app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([200, body]);
    expect(filters.previewFilter.mock.calls).toStrictEqual([[CALL, FILTER_ID, 10]]);
  });

  test.each([
    ['', 10],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?limit=%31%30', 10],
    ['?limit=7&limit=7', 7],
    ['?LIMIT=5', 10],
    ['?limit[]=5', 10],
    ['?unknown=x', 10],
  ])('of a saved filter with %j lists %d devices at most', async (query, limit) => {
    const { app, filters } = fakeHttp();
    await app.request(`${FILTER_URL}/preview${query}`, { method: 'POST', headers: AS_USER });
    expect(filters.previewFilter.mock.calls).toStrictEqual([[CALL, FILTER_ID, limit]]);
  });

  test.each([
    '?limit=',
    '?limit',
    '?limit=0',
    '?limit=101',
    '?limit=-1',
    '?limit=1.5',
    '?limit=1.0',
    '?limit=abc',
    '?limit=+5',
    '?limit=%2B5',
    '?limit=%205',
    '?limit=5%20',
    '?limit=1e1',
    '?limit=0x10',
    '?limit=010',
    '?limit=1,000',
    '?limit=%D9%A5',
    '?limit=5%00',
    '?limit=NaN',
    '?limit=99999999999999999999',
  ])('of a saved filter with %j is refused', async (query) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(`${FILTER_URL}/preview${query}`, { method: 'POST', headers: AS_USER });
    const message = 'limit must be a whole number from 1 to 100';
    expect([response.status, await response.json()]).toStrictEqual([
      400,
      aProblem('validation_failed', 400, 'Validation failed', message, [
        { path: 'limit', code: 'out_of_range', message },
      ]),
    ]);
    expect(filters.previewFilter).not.toHaveBeenCalled();
  });

  test('of a saved filter with two limits is refused', async () => {
    const { app } = fakeHttp();
    const response = await app.request(`${FILTER_URL}/preview?limit=1&limit=2`, {
      method: 'POST',
      headers: AS_USER,
    });
    const message = 'limit appears more than once with different values';
    expect([response.status, await response.json()]).toStrictEqual([
      400,
      aProblem('validation_failed', 400, 'Validation failed', message, [
        { path: 'limit', code: 'repeated_parameter', message },
      ]),
    ]);
  });

  test.each([
    ['the members of a body', 'application/json', '{"limit":3}'],
    ['the type of an empty body', 'text/plain', ''],
  ])('of a saved filter ignores %s', async (_, type, text) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(`${FILTER_URL}/preview`, {
      method: 'POST',
      headers: { ...AS_USER, 'Content-Type': type },
      body: text,
    });
    expect(response.status).toBe(200);
    expect(filters.previewFilter.mock.calls).toStrictEqual([[CALL, FILTER_ID, 10]]);
  });

  test.each([
    ['a broken body', 'application/json', '{', 400],
    ['a list', 'application/json', '[]', 400],
    ['a body of another type', 'text/plain', 'hello', 415],
  ])('of a saved filter refuses %s', async (_, type, text, status) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(`${FILTER_URL}/preview`, {
      method: 'POST',
      headers: { ...AS_USER, 'Content-Type': type },
      body: text,
    });
    expect(response.status).toBe(status);
    expect(filters.previewFilter).not.toHaveBeenCalled();
  });
});

describe('GET /filters/fields', () => {
  test('lists every field with its operators and values', async () => {
    const { app, filters } = fakeHttp();
    const response = await app.request('/api/v1/filters/fields', { headers: AS_USER });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    expect(response.status).toBe(200);
    expect(data.map(({ key }) => key)).toStrictEqual([...CORE_CATALOG.keys()]);
    expect(data.find(({ key }) => key === 'watchdogStatus')).toStrictEqual({
      key: 'watchdogStatus',
      label: 'Watchdog Status',
      category: 'device',
      type: 'enum',
      operators: ['equals', 'notEquals', 'in', 'notIn'],
      values: ['connected', 'failover', 'offline'],
    });
    expect(data.find(({ key }) => key === 'isHeadless')).toStrictEqual({
      key: 'isHeadless',
      label: 'Headless',
      category: 'device',
      type: 'boolean',
      operators: ['equals', 'notEquals', 'isNull', 'isNotNull'],
    });
    expect(filters.readFilter).not.toHaveBeenCalled();
  });

  test('shows only those members of a field that the contract names', async () => {
    const { app } = fakeHttp();
    const response = await app.request('/api/v1/filters/fields', { headers: AS_USER });
    const { data } = (await response.json()) as { data: object[] };
    const members = new Set(data.flatMap((field) => Object.keys(field)));
    expect(
      members.isSubsetOf(new Set(['key', 'label', 'category', 'type', 'operators', 'values', 'description'])),
    ).toBe(true);
  });

  test('lists custom fields, one with two types as ambiguous', async () => {
    const { app, filters } = fakeHttp();
    const rack = {
      key: 'rack',
      label: 'Rack',
      type: 'dropdown',
      variants: [{ orgIds: new Set([ORG_ID]), choices: ['a', 'b'] }],
    } as const;
    const catalog = buildCatalog(
      new Map([
        ['rack', { kind: 'defined', field: rack }],
        ['owner', { kind: 'ambiguous', key: 'owner', label: 'Owner' }],
      ] as const),
    );
    filters.listFields.mockResolvedValue([...catalog.values()]);
    const response = await app.request('/api/v1/filters/fields', { headers: AS_USER });
    const { data } = (await response.json()) as { data: object[] };
    expect(data.slice(-2)).toStrictEqual([
      {
        key: 'custom.rack',
        label: 'Rack',
        category: 'custom',
        type: 'enum',
        operators: ['equals', 'notEquals', 'in', 'notIn'],
        values: ['a', 'b'],
      },
      { key: 'custom.owner', label: 'Owner', category: 'custom', operators: [], ambiguous: true },
    ]);
  });
});

describe('an invalid or unknown id', () => {
  const ids = [
    '1',
    'fieldz',
    'null',
    `${FILTER_ID}x`,
    FILTER_ID.replaceAll('-', ''),
    `%7B${FILTER_ID}%7D`,
    '%00',
  ];
  const requests: [string, string, RequestInit][] = ids.flatMap((id): [string, string, RequestInit][] => [
    ['GET', `/api/v1/filters/${id}`, { headers: AS_USER }],
    ['PATCH', `/api/v1/filters/${id}`, withJson('PATCH', {})],
    ['DELETE', `/api/v1/filters/${id}`, { method: 'DELETE', headers: AS_USER }],
    ['POST', `/api/v1/filters/${id}/preview`, { method: 'POST', headers: AS_USER }],
  ]);

  test.each(requests)('is not found if it is invalid: %s %s', async (_, path, init) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(path, init);
    expect([response.status, await response.json()]).toStrictEqual([404, NOT_FOUND]);
    for (const useCase of Object.values(filters)) expect(useCase).not.toHaveBeenCalled();
  });

  test.each<[string, string, RequestInit]>([
    ['GET', FILTER_URL, { headers: AS_USER }],
    ['PATCH', FILTER_URL, withJson('PATCH', {})],
    ['DELETE', FILTER_URL, { method: 'DELETE', headers: AS_USER }],
    ['POST', `${FILTER_URL}/preview`, { method: 'POST', headers: AS_USER }],
  ])('is not found if it is unknown: %s', async (_, path, init) => {
    const { app, filters } = fakeHttp();
    const missing = err(FILTER_NOT_FOUND);
    filters.readFilter.mockResolvedValue(missing);
    filters.updateFilter.mockResolvedValue(missing);
    filters.deleteFilter.mockResolvedValue(missing);
    filters.previewFilter.mockResolvedValue(missing);
    const response = await app.request(path, init);
    expect([response.status, await response.json()]).toStrictEqual([404, NOT_FOUND]);
  });
});
