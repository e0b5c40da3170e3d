/** GET /devices and POST /devices/query: a test for each line of contract §10 about lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import { DEVICE_SORT_KEYS } from '#domain/device/device-sort.ts';
import {
  type Ask,
  FILTERS,
  filterOf,
  type NewOrg,
  problemOf,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import type { KeyName, OrgName, UserName } from '#test/api/service/tenants.ts';
import { aCustomField, aDevice, anAlert, aSite, aUser, newId } from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';
import { loadFleet } from '#test/support/tenant.ts';
import {
  DEVICE_QUERY,
  DEVICES,
  type DeviceListBody,
  deviceListOf,
  listPath,
  namesOf,
  walkPages,
} from './device-service.ts';

type CallerName = UserName | KeyName;

/** Whose devices each caller lists. */
const REACH: Readonly<Record<Exclude<CallerName, 'disabled' | 'key-expired'>, readonly OrgName[]>> = {
  system: ['A', 'B', 'C', 'D'],
  'key-system': ['A', 'B', 'C', 'D'],
  'P-all': ['A', 'B', 'D'],
  'key-P': ['A', 'B', 'D'],
  'P-subset': ['A'],
  'P-none': [],
  'key-P-to-C': [],
  'key-A-to-C': [],
  'Q-all': ['C'],
  'A-admin': ['A'],
  'A-user': ['A'],
  'key-A': ['A'],
  'key-P-to-A': ['A'],
  'B-user': ['B'],
  'C-user': ['C'],
};
const CALLERS = Object.keys(REACH) as readonly (keyof typeof REACH)[];

const EVERYWHERE = {
  operator: 'AND',
  conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
};
const ONLINE = {
  operator: 'AND',
  conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
};

let service: TestService;
/** Five devices, two of them online. */
let five: NewOrg;
let ask: Ask;

beforeAll(async () => {
  service = await startService();
  five = await service.inNewOrg((orgId) =>
    [
      ['d', 'online'],
      ['b', 'offline'],
      ['e', 'pending'],
      ['a', 'online'],
      ['c', 'maintenance'],
    ].map(([hostname = '', status], i) =>
      aDevice({
        orgId,
        hostname,
        status: status as 'online',
        metrics: { cpuPercent: i === 0 ? null : i * 10, ramPercent: 1, diskPercent: null },
      }),
    ),
  );
  ask = five.ask;
});
afterAll(() => service.close());

const query = (body: object) => ask('POST', DEVICE_QUERY, body);

describe('reach', () => {
  test.each(CALLERS)('%s lists devices in reach, and gets 404 for other tenants', async (caller) => {
    const { devices, orgIds } = service.tenants;
    const reached = REACH[caller].map((name) => orgIds[name]);
    const expected = devices.filter(({ orgId }) => reached.includes(orgId)).map(({ id }) => id as string);
    const by = service.as(caller);
    for (const answer of [
      await by('GET', listPath({ q: 'tags:everywhere' })),
      await by('POST', DEVICE_QUERY, { q: 'tags:everywhere' }),
      await by('POST', DEVICE_QUERY, { conditions: EVERYWHERE }),
    ]) {
      const { data, totalCount, nextCursor } = deviceListOf(answer);
      expect(data.map(({ id }) => id)).toStrictEqual(expected);
      expect([totalCount, nextCursor]).toStrictEqual([expected.length, null]);
    }
    for (const org of ['A', 'B', 'C', 'D'] as const) {
      const answer = await by('GET', listPath({ q: 'tags:everywhere', orgId: orgIds[org] }));
      if (!REACH[caller].includes(org)) expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
      else expect(deviceListOf(answer).data.every(({ orgId }) => orgId === orgIds[org])).toBe(true);
    }
    for (const org of ['A', 'B', 'C'] as const) {
      const answer = await by('GET', listPath({ filterId: service.tenants.filters[org].id }));
      if (!REACH[caller].includes(org)) expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
      else {
        const own = devices.filter(({ orgId }) => orgId === orgIds[org]).map(({ id }) => id as string);
        expect(deviceListOf(answer).data.map(({ id }) => id)).toStrictEqual(own);
      }
    }
  });

  test.each(['none', 'disabled', 'key-expired'] as const)('%s is 401', async (caller) => {
    const by = service.as(caller);
    for (const answer of [await by('GET', DEVICES), await by('POST', DEVICE_QUERY, {})]) {
      expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
    }
  });

  test('an unknown organization or filter answers as one out of reach', async () => {
    const { orgIds, filters, unknownId } = service.tenants;
    const by = service.as('A-user');
    for (const [unknown, foreign] of [
      [{ orgId: unknownId }, { orgId: orgIds.C }],
      [{ filterId: unknownId }, { filterId: filters.C.id }],
    ] as const) {
      const headers = { 'X-Request-Id': 'same' };
      const answers = [
        await by('GET', listPath(unknown), undefined, headers),
        await by('GET', listPath(foreign), undefined, headers),
        await by('POST', DEVICE_QUERY, foreign, headers),
      ];
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(404);
    }
    const unknown = await service.as('system')('GET', listPath({ orgId: unknownId }));
    expect(refusalOf(unknown)).toStrictEqual([404, 'not_found']);
  });
});

describe('what is listed', () => {
  test('a row has every member and no other', async () => {
    const at = '2026-02-10T08:00:00.123Z';
    const { ask: by, orgId } = await service.inNewOrg((orgId) => {
      const site = aSite({ orgId });
      const device = aDevice({
        orgId,
        siteId: site.id,
        hostname: 'Srv-1',
        displayName: 'Büro',
        osType: 'linux',
        osVersion: '6.12',
        deviceRole: 'server',
        lastUser: 'sam',
        tags: ['vip'],
        lastSeenAt: Date.parse(at),
        enrolledAt: 0,
        metrics: { cpuPercent: 12.5, ramPercent: null, diskPercent: 99 },
        patches: [{ id: null, title: 'KB1', status: 'pending' }],
        rebootRequired: true,
        software: [{ name: 'not in a row', version: null }],
      });
      return [site, device, anAlert({ orgId, deviceId: device.id }), aDevice({ orgId, hostname: 'srv-2' })];
    });
    const { data, ...rest } = deviceListOf(await by('GET', DEVICES));
    expect(data.map(({ id, siteId, ...row }) => [typeof id, typeof siteId, row])).toStrictEqual([
      [
        'string',
        'string',
        {
          orgId,
          hostname: 'Srv-1',
          displayName: 'Büro',
          status: 'online',
          osType: 'linux',
          osVersion: '6.12',
          deviceRole: 'server',
          lastUser: 'sam',
          tags: ['vip'],
          lastSeenAt: at,
          enrolledAt: '1970-01-01T00:00:00.000Z',
          metrics: { cpuPercent: 12.5, ramPercent: null, diskPercent: 99 },
          patchesPending: true,
          alertsCritical: true,
          rebootRequired: true,
        },
      ],
      [
        'string',
        'object',
        {
          orgId,
          hostname: 'srv-2',
          displayName: null,
          status: 'online',
          osType: null,
          osVersion: null,
          deviceRole: 'unknown',
          lastUser: null,
          tags: [],
          lastSeenAt: null,
          enrolledAt: null,
          metrics: { cpuPercent: null, ramPercent: null, diskPercent: null },
          patchesPending: false,
          alertsCritical: false,
          rebootRequired: false,
        },
      ],
    ]);
    expect(rest).toStrictEqual({ nextCursor: null, totalCount: 2, evaluatedAt: expect.any(String) });
    expect(rest.evaluatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test.each<[string, object, readonly string[]]>([
    ['all devices without a restriction', {}, ['a', 'b', 'c', 'd', 'e']],
    ['all devices for a blank text', { q: ' \t' }, ['a', 'b', 'c', 'd', 'e']],
    ['devices that match a text', { q: 'status:online' }, ['a', 'd']],
    ['devices that match conditions', { conditions: ONLINE }, ['a', 'd']],
  ])('%s', async (_name, body, names) => {
    const answer = await query(body);
    expect(namesOf(answer)).toStrictEqual(names);
    expect(deviceListOf(answer).totalCount).toBe(names.length);
  });

  test('devices that match a saved filter, in its organization only', async () => {
    const saved = await ask('POST', FILTERS, { name: 'Online', conditions: ONLINE });
    const filterId = filterOf(saved).id;
    expect(namesOf(await service.as('system')('GET', listPath({ filterId })))).toStrictEqual(['a', 'd']);
    expect(namesOf(await query({ filterId, orgId: five.orgId }))).toStrictEqual(['a', 'd']);
  });

  test('relative dates count from the time of evaluation', async () => {
    const { ask: by } = await service.inNewOrg((orgId) => [
      aDevice({ orgId, hostname: 'seen', lastSeenAt: Date.now() }),
      aDevice({ orgId, hostname: 'long ago', lastSeenAt: 0 }),
    ]);
    expect(namesOf(await by('GET', listPath({ q: 'seen:<1h' })))).toStrictEqual(['seen']);
  });

  test('reading is not audited', async () => {
    const before = await tracesOf(service);
    deviceListOf(await ask('GET', DEVICES));
    deviceListOf(await query({ conditions: ONLINE }));
    expect(await tracesOf(service)).toStrictEqual(before);
  });
});

describe('the order', () => {
  test.each([
    [undefined, ['a', 'b', 'c', 'd', 'e']],
    ['hostname', ['a', 'b', 'c', 'd', 'e']],
    ['-hostname', ['e', 'd', 'c', 'b', 'a']],
    ['status', ['a', 'd', 'b', 'c', 'e']],
    ['-status', ['e', 'c', 'b', 'a', 'd']],
    ['metrics.cpuPercent', ['b', 'e', 'a', 'c', 'd']],
    ['-metrics.cpuPercent', ['c', 'a', 'e', 'b', 'd']],
    ['-metrics.ramPercent', ['a', 'b', 'c', 'd', 'e']],
    ['-metrics.diskPercent', ['a', 'b', 'c', 'd', 'e']],
  ])('follows sort=%s', async (sort, names) => {
    const parameters = sort === undefined ? {} : { sort };
    expect(namesOf(await ask('GET', listPath(parameters)))).toStrictEqual(names);
    expect(namesOf(await query(parameters))).toStrictEqual(names);
    const pages = await walkPages(ask, { ...parameters, limit: 2 });
    expect(pages.flatMap(({ data }) => data.map(({ hostname }) => hostname))).toStrictEqual(names);
  });

  test.each(DEVICE_SORT_KEYS.flatMap((key) => [key, `-${key}`]))(
    'by %s gives each device of all organizations once, over all pages',
    async (sort) => {
      const pages = await walkPages(service.as('system'), { sort, limit: 3, q: 'tags:everywhere' });
      const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
      expect(ids.toSorted()).toStrictEqual(service.tenants.devices.map(({ id }) => id as string).toSorted());
      expect(pages.map(({ totalCount }) => totalCount)).toStrictEqual([6, null]);
      expect(new Set(pages.map(({ evaluatedAt }) => evaluatedAt)).size).toBe(1);
    },
  );
});

describe('pages', () => {
  test('have 50 rows, or as many as `limit` says', async () => {
    const { ask: by } = await service.inNewOrg((orgId) =>
      Array.from({ length: 201 }, () => aDevice({ orgId })),
    );
    const sizes = async (parameters: Record<string, number>) =>
      (await walkPages(by, parameters)).map(({ data }) => data.length);
    expect(await sizes({})).toStrictEqual([50, 50, 50, 50, 1]);
    expect(await sizes({ limit: 200 })).toStrictEqual([200, 1]);
    expect(await sizes({ limit: 67 })).toStrictEqual([67, 67, 67]);
  });

  test.each<[string, object, readonly string[], number | null, boolean]>([
    ['an offset', { offset: 3 }, ['d', 'e'], 5, false],
    ['an offset with more to come', { offset: 1, limit: 2 }, ['b', 'c'], 5, true],
    ['an offset at the end', { offset: 5 }, [], 5, false],
    ['the largest offset', { offset: 1_000_000 }, [], 5, false],
    ['an offset of 0', { offset: 0, limit: 1 }, ['a'], 5, true],
    ['no count', { count: false, limit: 4 }, ['a', 'b', 'c', 'd'], null, true],
    ['a count', { count: true, limit: 5 }, ['a', 'b', 'c', 'd', 'e'], 5, false],
  ])('with %s have their rows and count', async (_name, page, names, totalCount, hasMore) => {
    for (const answer of [
      await query(page),
      await ask('GET', listPath(Object.fromEntries(Object.entries(page).map(([k, v]) => [k, String(v)])))),
    ]) {
      const list = deviceListOf(answer);
      expect(namesOf(answer)).toStrictEqual(names);
      expect([list.totalCount, list.nextCursor !== null]).toStrictEqual([totalCount, hasMore]);
    }
  });

  test('continue by cursor after an offset', async () => {
    const { nextCursor: cursor } = deviceListOf(await query({ offset: 1, limit: 2 }));
    expect(namesOf(await query({ cursor }))).toStrictEqual(['d', 'e']);
  });

  test('after the first have a total only on request, and it counts everything', async () => {
    const { nextCursor: cursor } = deviceListOf(await query({ limit: 2 }));
    const totalOf = async (body: object) => deviceListOf(await query({ cursor, ...body })).totalCount;
    expect(await totalOf({})).toBe(null);
    expect(await totalOf({ count: false })).toBe(null);
    expect(await totalOf({ count: true })).toBe(5);
  });

  test('may differ in limit and route', async () => {
    const { nextCursor: cursor = '' } = deviceListOf(
      await ask('GET', listPath({ q: 'status:online', limit: 1 })),
    );
    expect(namesOf(await query({ q: 'status:online', limit: 200, cursor }))).toStrictEqual(['d']);
  });

  test('are all evaluated at the time of the first', async () => {
    const first = deviceListOf(await query({ limit: 2 }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = deviceListOf(await query({ limit: 2, cursor: first.nextCursor }));
    expect(second.evaluatedAt).toBe(first.evaluatedAt);
  });

  test('skip and repeat no device when others are added meanwhile', async () => {
    const { ask: by, orgId } = await service.inNewOrg((orgId) =>
      ['b', 'd', 'f', 'h'].map((hostname) => aDevice({ orgId, hostname })),
    );
    const { nextCursor: cursor } = deviceListOf(await by('POST', DEVICE_QUERY, { limit: 2 }));
    const added = ['a', 'e', 'i'].map((hostname) => aDevice({ orgId, hostname }));
    await loadFleet(service.composition.backend, added);
    expect(namesOf(await by('POST', DEVICE_QUERY, { cursor }))).toStrictEqual(['e', 'f', 'h', 'i']);
  });

  test('check the reach of the caller anew each time', async () => {
    const { orgIds, partnerIds } = service.tenants;
    const reachOf = (org: OrgName) =>
      ({ scope: 'partner', partnerId: partnerIds.P, orgIds: [orgIds[org]] }) as const;
    const user = aUser({ membership: reachOf('A') });
    await loadFleet(service.composition.backend, [user]);
    const by = service.asUser(user.id);
    const parameters = { q: 'tags:everywhere', limit: 1 };
    const { nextCursor } = deviceListOf(await by('POST', DEVICE_QUERY, parameters));
    await service.probe.changeUser(user.id, { membership: reachOf('B') });
    await until(async () => {
      const { data } = deviceListOf(await by('POST', DEVICE_QUERY, { ...parameters, cursor: nextCursor }));
      return data[0]?.orgId === orgIds.B;
    });
  });
});

describe('cursors', () => {
  /** The cursor that leads to the second page. */
  const cursorOf = async (by: Ask, body: object) => {
    const { nextCursor } = deviceListOf(
      await by('POST', DEVICE_QUERY, { limit: 1, ...body }),
    ) as DeviceListBody;
    if (nextCursor === null) throw new Error('there is no next page');
    return nextCursor;
  };
  const refused = [400, 'invalid_cursor'];

  test.each<[string, object, object]>([
    ['other conditions', { conditions: ONLINE }, { conditions: EVERYWHERE }],
    ['no conditions', { conditions: ONLINE }, {}],
    ['another text', { q: 'status:online' }, { q: 'status:online status:online' }],
    ['a text', {}, { q: 'status:online' }],
    ['another sort', {}, { sort: 'status' }],
    ['the sort reversed', { sort: 'status' }, { sort: '-status' }],
  ])('are refused with %s', async (_name, first, second) => {
    const cursor = await cursorOf(ask, first);
    expect(namesOf(await query({ ...first, cursor }))).not.toStrictEqual([]);
    expect(refusalOf(await query({ ...second, cursor }))).toStrictEqual(refused);
  });

  test.each([1, null, {}, '', 'x'])('are refused in a body when made up: %j', async (cursor) => {
    expect(refusalOf(await query({ cursor }))).toStrictEqual(refused);
  });

  test('are refused with another organization, or without it', async () => {
    const by = service.as('P-all');
    const { orgIds } = service.tenants;
    const cursor = await cursorOf(by, { orgId: orgIds.A });
    for (const body of [{ orgId: orgIds.B }, {}, { filterId: service.tenants.filters.A.id }]) {
      expect(refusalOf(await by('POST', DEVICE_QUERY, { ...body, cursor }))).toStrictEqual(refused);
    }
  });

  test('are refused from another user, and accepted from an API key of the same user', async () => {
    const cursor = await cursorOf(service.as('A-user'), {});
    expect(refusalOf(await service.as('A-admin')('POST', DEVICE_QUERY, { cursor }))).toStrictEqual(refused);
    expect(namesOf(await service.as('key-A')('POST', DEVICE_QUERY, { cursor }))).toHaveLength(2);
  });

  test('are refused with an equal saved filter, and with the conditions of the filter', async () => {
    const save = async (name: string) => filterOf(await ask('POST', FILTERS, { name, conditions: ONLINE }));
    const one = await save('One');
    const other = await save('Like it');
    const cursor = await cursorOf(ask, { filterId: one.id });
    for (const body of [{ filterId: other.id }, { conditions: ONLINE, orgId: one.orgId }]) {
      expect(refusalOf(await query({ ...body, cursor }))).toStrictEqual(refused);
    }
  });

  test('survive a new name of the saved filter, but not new conditions', async () => {
    const filter = filterOf(await ask('POST', FILTERS, { name: 'Paged', conditions: ONLINE }));
    const filterId = filter.id;
    const cursor = await cursorOf(ask, { filterId });
    filterOf(await ask('PATCH', `${FILTERS}/${filterId}`, { name: 'Still paged' }));
    expect(namesOf(await query({ filterId, cursor }))).toStrictEqual(['d']);
    filterOf(await ask('PATCH', `${FILTERS}/${filterId}`, { conditions: EVERYWHERE }));
    expect(refusalOf(await query({ filterId, cursor }))).toStrictEqual(refused);
  });

  test.each(['', 'x', 'AAAA', '🖨', 'null', Buffer.from('[0,"a","a",""]').toString('base64url')])(
    'are refused when made up: %j',
    async (cursor) => {
      expect(refusalOf(await query({ cursor }))).toStrictEqual(refused);
      expect(refusalOf(await ask('GET', listPath({ cursor })))).toStrictEqual(refused);
    },
  );

  test('are refused with a character changed', async () => {
    const cursor = await cursorOf(ask, {});
    for (const at of [0, 10, 22, 30, cursor.length - 1]) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const changed = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
      expect(refusalOf(await query({ cursor: changed }))).toStrictEqual(refused);
    }
    expect(problemOf(await query({ cursor: `${cursor}x` })).detail).toMatch(/leave cursor out/);
  });

  test('are accepted by another instance', async () => {
    const cursor = await cursorOf(ask, {});
    const other = await service.store.compose(
      { filterTimeoutMs: 10_000, searchTimeoutMs: 10_000 },
      { hashPassword: async () => 'hash' },
    );
    const response = await other.app.request(listPath({ cursor }), {
      headers: { Authorization: `Bearer ${await service.issueToken(five.userId)}` },
    });
    const body = (await response.json()) as DeviceListBody;
    await other.close();
    expect(body.data.map(({ hostname }) => hostname)).toStrictEqual(['b', 'c', 'd', 'e']);
  });
});

describe('faults', () => {
  test.each<[string, object, readonly (readonly [string, string])[]]>([
    ['a limit of 0', { limit: 0 }, [['limit', 'out_of_range']]],
    ['a limit of 201', { limit: 201 }, [['limit', 'out_of_range']]],
    ['a limit that is no whole number', { limit: 1.5 }, [['limit', 'out_of_range']]],
    ['a limit that is a text', { limit: '10' }, [['limit', 'out_of_range']]],
    ['a limit that is null', { limit: null }, [['limit', 'out_of_range']]],
    ['an offset below 0', { offset: -1 }, [['offset', 'out_of_range']]],
    ['an offset beyond a million', { offset: 1_000_001 }, [['offset', 'out_of_range']]],
    ['an unknown sort', { sort: 'name' }, [['sort', 'invalid_value']]],
    ['a sort that is no text', { sort: 1 }, [['sort', 'invalid_value']]],
    ['a count that is no flag', { count: 'true' }, [['count', 'invalid_value']]],
    ['an offset with a cursor', { offset: 0, cursor: 'x' }, [['offset', 'value_not_allowed']]],
    ['conditions with a text', { conditions: ONLINE, q: 'a' }, [['q', 'value_not_allowed']]],
    ['a text with a filter', { q: 'a', filterId: newId() }, [['filterId', 'value_not_allowed']]],
    ['an organization that is no UUID', { orgId: 'x' }, [['orgId', 'invalid_value']]],
    ['conditions that are null', { conditions: null }, [['conditions', 'not_a_group']]],
    ['an unknown field', { q: 'hostnam:x' }, [['q', 'unknown_field']]],
    [
      'several at once',
      { limit: 0, offset: -1, sort: '', count: 1, orgId: 1, filterId: 2 },
      [
        ['sort', 'invalid_value'],
        ['limit', 'out_of_range'],
        ['offset', 'out_of_range'],
        ['count', 'invalid_value'],
        ['filterId', 'invalid_value'],
        ['orgId', 'invalid_value'],
      ],
    ],
  ])('in a body: %s', async (_name, body, faults) => {
    const answer = await query(body);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ...faults]);
  });

  test.each<[string, string, readonly (readonly [string, string])[]]>([
    ['an empty limit', 'limit=', [['limit', 'out_of_range']]],
    ['a limit of 0', 'limit=0', [['limit', 'out_of_range']]],
    ['a limit of 201', 'limit=201', [['limit', 'out_of_range']]],
    ['a limit in words', 'limit=abc', [['limit', 'out_of_range']]],
    ['two limits', 'limit=1&limit=2', [['limit', 'repeated_parameter']]],
    ['an offset with a sign', 'offset=-1', [['offset', 'out_of_range']]],
    ['an offset beyond a million', 'offset=1000001', [['offset', 'out_of_range']]],
    ['a count of yes', 'count=yes', [['count', 'invalid_value']]],
    ['an unknown sort', 'sort=cpu', [['sort', 'invalid_value']]],
    ['an offset with a cursor', 'offset=0&cursor=x', [['offset', 'value_not_allowed']]],
    [
      'a text with a filter',
      'q=a&filterId=b',
      [
        ['filterId', 'value_not_allowed'],
        ['filterId', 'invalid_value'],
      ],
    ],
    ['an organization that is no UUID', 'orgId=x', [['orgId', 'invalid_value']]],
    ['a text with a NUL', 'q=%00', [['q', 'invalid_value']]],
    [
      'several at once',
      'limit=0&offset=-1&sort=&count=1&orgId=1&filterId=2',
      [
        ['sort', 'invalid_value'],
        ['limit', 'out_of_range'],
        ['offset', 'out_of_range'],
        ['count', 'invalid_value'],
        ['filterId', 'invalid_value'],
        ['orgId', 'invalid_value'],
      ],
    ],
    [
      'a text and a limit',
      'q=hostnam:x&limit=',
      [
        ['limit', 'out_of_range'],
        ['q', 'unknown_field'],
      ],
    ],
  ])('in a query: %s', async (_name, text, faults) => {
    const answer = await ask('GET', `${DEVICES}?${text}`);
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ...faults]);
  });

  test('the refusal of a misspelled sort suggests the nearest', async () => {
    const { detail } = problemOf(await ask('GET', listPath({ sort: '-lastSeen' })));
    expect(detail).toMatch(/did you mean lastSeenAt\?$/);
    expect(problemOf(await query({ sort: 'cpuPercent' })).detail).toMatch(
      /did you mean metrics\.cpuPercent\?$/,
    );
  });

  test('other methods are 405 with the allowed ones', async () => {
    for (const [method, path, allow] of [
      ['GET', DEVICE_QUERY, 'OPTIONS, POST'],
      ['DELETE', DEVICE_QUERY, 'OPTIONS, POST'],
      ['POST', DEVICES, 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await ask(method, path, method === 'GET' ? undefined : {});
      expect(refusalOf(answer)).toStrictEqual([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  test('a body that is no JSON object is refused', async () => {
    expect(refusalOf(await ask('POST', DEVICE_QUERY, '{'))).toStrictEqual([400, 'invalid_json']);
    expect(refusalOf(await ask('POST', DEVICE_QUERY, '[]'))).toStrictEqual([
      400,
      'validation_failed',
      ['', 'not_an_object'],
    ]);
  });
});

describe('fields', () => {
  const KEYS = [
    'hardware.model',
    'network.ipAddress',
    'lastSeenAt',
    'custom.rack',
    'software[chrome].version',
  ];

  test('adds the requested values to each device, by query and by body', async () => {
    const org = await service.inNewOrg((orgId) => [
      aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack', type: 'text' }),
      aDevice({
        ...{ orgId, hostname: 'a', lastSeenAt: Date.UTC(2026, 1, 1), custom: new Map([['rack', 'R7']]) },
        hardware: { ...NO_HARDWARE, model: 'T14' },
        network: [{ ipAddress: '10.0.0.2', publicIp: null, macAddress: null }],
        software: [{ name: 'Chrome', version: '130.0' }],
      }),
      aDevice({ orgId, hostname: 'b' }),
    ]);
    const answers = [
      await org.ask('GET', listPath({ fields: KEYS.join(',') })),
      await org.ask('POST', DEVICE_QUERY, { fields: KEYS }),
    ];
    for (const answer of answers) {
      const fields = deviceListOf(answer).data.map((row) => 'fields' in row && row.fields);
      expect(fields).toStrictEqual([
        {
          'hardware.model': 'T14',
          'network.ipAddress': ['10.0.0.2'],
          lastSeenAt: '2026-02-01T00:00:00.000Z',
          'custom.rack': 'R7',
          'software[chrome].version': ['130.0'],
        },
        Object.fromEntries(KEYS.map((key) => [key, /network|software/.test(key) ? [] : null])),
      ]);
    }
    expect(deviceListOf(await org.ask('GET', listPath({}))).data[0]).not.toHaveProperty('fields');
    // A later page has the fields that its own request names.
    const { nextCursor } = deviceListOf(await org.ask('GET', listPath({ limit: 1 })));
    const second = await org.ask('POST', DEVICE_QUERY, { cursor: nextCursor, fields: ['hostname'] });
    expect(deviceListOf(second).data).toMatchObject([{ fields: { hostname: 'b' } }]);
  });

  test.each([
    [{ fields: [] }, 'fields'],
    [{ fields: ['hostnam', 'status', 'status'] }, 'fields[0]', 'fields[2]'],
    [{ fields: ['custom.nowhere'] }, 'fields[0]'],
    [{ fields: ['software.notInstalled'] }, 'fields[0]'],
    [{ fields: ['software[a\u0000].version'] }, 'fields[0]'],
    [{ fields: Array.from({ length: 21 }, (_, i) => `software[${i}].version`) }, 'fields'],
    [{ fields: ['x'], limit: 0, q: 'disk:>x' }, 'limit', 'fields[0]', 'q'],
  ])('%j is refused with every fault', async (body, ...paths) => {
    const { errors = [] } = problemOf(await query(body));
    expect(errors.map(({ path }) => path)).toStrictEqual(paths);
  });

  test('an empty field in the query is a fault, too', async () => {
    expect(problemOf(await ask('GET', listPath({ fields: '' }))).errors).toMatchObject([
      { path: 'fields[0]' },
    ]);
  });
});
