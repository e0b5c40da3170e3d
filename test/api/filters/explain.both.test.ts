/** POST /filters/explain and /filters/:id/explain: the share of each node, and one device (Contract: §12). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  FILTERS,
  filterOf,
  type NewOrg,
  problemOf,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, fixedClock, newId } from '#test/support/builders.ts';
import { and, or, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

const NOW = Date.UTC(2026, 1, 1, 15);
const EXPLAIN = `${FILTERS}/explain`;

const is = (field: string, operator: string, value?: unknown): RawCondition => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});
const ONLINE = is('status', 'equals', 'online');
const WINDOWS = is('osType', 'equals', 'windows');
const EVERYWHERE = and(is('tags', 'contains', 'everywhere'));

/** Seen 36 hours ago, on Windows, and online. */
const ONE = {
  id: newId<'device'>(),
  hostname: 'one',
  osType: 'windows',
  lastSeenAt: NOW - 36 * 3_600_000,
} as const;

let service: TestService;
let org: NewOrg;

beforeAll(async () => {
  service = await startService({ overrides: { clock: fixedClock(NOW) } });
  org = await service.inNewOrg((orgId) => [
    aDevice({ ...ONE, orgId, tags: ['vip', 'vpn'] }),
    aDevice({ orgId, hostname: 'two', osType: 'linux' }),
    aDevice({ orgId, hostname: 'three', osType: 'windows', status: 'offline' }),
  ]);
});
afterAll(() => service.close());

interface Explained {
  readonly sample?: { readonly devices: number; readonly of: number };
  readonly totalCount: number;
  readonly deviceCount: number;
  readonly nodes: readonly {
    readonly count: number;
    readonly countWithout?: number;
    readonly device?: { readonly matches: boolean; readonly actual?: unknown };
  }[];
}

function explainedOf({ status, text, body }: Answer): Explained {
  if (status !== 200) throw new Error(`no explanation was answered: ${status} ${text}`);
  return (body as { data: Explained }).data;
}

async function save(conditions: RawGroup, asker = org.ask): Promise<string> {
  return filterOf(await asker('POST', FILTERS, { name: 'Saved', conditions })).id;
}

describe('an explanation of a large fleet', () => {
  const DEVICES = 1_020;
  // Conditions on software cost most. So many of them on so many devices are only estimated.
  const many = Array.from({ length: 496 }, () => is('software.installed', 'notContains', 'no such title'));
  const HALF = is('hostname', 'startsWith', 'even');
  const conditions = and(HALF, is('osType', 'equals', 'windows'), ...many);
  let large: NewOrg;
  let id: string;

  beforeAll(async () => {
    large = await service.inNewOrg((orgId) =>
      Array.from({ length: DEVICES }, (_, i) =>
        aDevice({
          orgId,
          hostname: i % 2 === 0 ? `even-${i}` : `odd-${i}`,
          osType: i % 3 === 0 ? 'windows' : 'linux',
          ...(i === 3 && { id: FOURTH }),
        }),
      ),
    );
    id = await save(conditions, large.ask);
  });
  const FOURTH = newId<'device'>();
  const askBoth = async (body: object) => [
    explainedOf(await large.ask('POST', EXPLAIN, { conditions, ...body })),
    explainedOf(await large.ask('POST', `${FILTERS}/${id}/explain`, body)),
  ];

  test('says from how many devices the counts are estimated, and keeps the total exact', async () => {
    for (const { sample, deviceCount, totalCount, nodes } of await askBoth({})) {
      expect(deviceCount).toBe(DEVICES);
      expect(totalCount).toBe(DEVICES / 6);
      expect(nodes[0]?.count).toBe(totalCount);
      expect(sample?.of).toBe(DEVICES);
      expect(Math.abs((sample?.devices ?? 0) - DEVICES / 2)).toBeLessThan(150);
      expect(Math.abs((nodes[1]?.count ?? 0) - DEVICES / 2)).toBeLessThan(150);
      expect(Math.abs((nodes[1]?.countWithout ?? 0) - DEVICES / 3)).toBeLessThan(150);
      expect(nodes.at(-1)?.count).toBe(DEVICES);
    }
  });

  test('is exact for one device, whether or not the sample has it', async () => {
    for (const { nodes } of await askBoth({ deviceId: FOURTH })) {
      expect(nodes.slice(0, 3).map(({ device }) => device)).toStrictEqual([
        { matches: false },
        { matches: false, actual: 'odd-3' },
        { matches: true, actual: 'windows' },
      ]);
    }
    const foreign = await large.ask('POST', EXPLAIN, { conditions, deviceId: ONE.id });
    expect(problemOf(foreign)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('counts every device if the filter is small', async () => {
    const { sample, nodes } = explainedOf(await large.ask('POST', EXPLAIN, { conditions: and(HALF) }));
    expect(sample).toBeUndefined();
    expect(nodes[1]?.count).toBe(DEVICES / 2);
  });
});

describe('an explanation', () => {
  test('has every node in document order, with its path and its counts', async () => {
    const conditions = and(WINDOWS, or(ONLINE, is('tags', 'isNotEmpty')));
    expect((await org.ask('POST', EXPLAIN, { conditions })).body).toStrictEqual({
      data: {
        evaluatedAt: '2026-02-01T15:00:00.000Z',
        deviceCount: 3,
        totalCount: 1,
        nodes: [
          { path: 'conditions', operator: 'AND', count: 1 },
          {
            path: 'conditions.conditions[0]',
            operator: 'equals',
            field: 'osType',
            count: 2,
            countWithout: 2,
          },
          { path: 'conditions.conditions[1]', operator: 'OR', count: 2, countWithout: 2 },
          {
            path: 'conditions.conditions[1].conditions[0]',
            operator: 'equals',
            field: 'status',
            count: 2,
          },
          {
            path: 'conditions.conditions[1].conditions[1]',
            operator: 'isNotEmpty',
            field: 'tags',
            count: 1,
          },
        ],
      },
    });
  });

  test('says for a device which nodes match and which values it has', async () => {
    const conditions = and(
      WINDOWS,
      or(is('lastSeenAt', 'withinLast', { amount: 1, unit: 'days' }), is('daysSinceLastSeen', 'lessThan', 1)),
      is('tags', 'hasAll', ['vip']),
      is('enrolledAt', 'isNull'),
      is('siteId', 'in', []),
    );
    const answer = await org.ask('POST', EXPLAIN, { conditions, deviceId: ONE.id.toUpperCase() });
    expect(explainedOf(answer).nodes.map(({ device }) => device)).toStrictEqual([
      { matches: false },
      { matches: true, actual: 'windows' },
      { matches: false },
      { matches: false, actual: '2026-01-31T03:00:00.000Z' },
      { matches: false, actual: 1.5 },
      { matches: true, actual: ['vip', 'vpn'] },
      { matches: true, actual: null },
      { matches: false, actual: null },
    ]);
  });

  test('is the same for conditions and their text', async () => {
    const conditions = and(ONLINE, or(is('tags', 'contains', 'vip'), WINDOWS));
    const [byConditions, byText] = [
      await org.ask('POST', EXPLAIN, { conditions, deviceId: ONE.id }),
      await org.ask('POST', EXPLAIN, {
        q: 'status:online (tags:vip OR osType:windows)',
        deviceId: ONE.id,
      }),
    ];
    expect(byText.body).toStrictEqual(byConditions.body);
  });

  test('is the same for a saved filter, with or without a body', async () => {
    const conditions = and(ONLINE, WINDOWS);
    const path = `${FILTERS}/${await save(conditions)}/explain`;
    const adHoc = explainedOf(await org.ask('POST', EXPLAIN, { conditions }));
    for (const body of [undefined, {}, { conditions: EVERYWHERE, limit: 5 }]) {
      expect(explainedOf(await org.ask('POST', path, body))).toStrictEqual(adHoc);
    }
    const ofDevice = await org.ask('POST', path, { deviceId: ONE.id });
    expect(ofDevice.body).toStrictEqual(
      (await org.ask('POST', EXPLAIN, { conditions, deviceId: ONE.id })).body,
    );
  });

  test('covers everything in reach for an ad-hoc filter, and the organization of a saved one', async () => {
    const { filters } = service.tenants;
    const ask = service.as('P-all');
    const saved = explainedOf(await ask('POST', `${FILTERS}/${filters.A.id}/explain`));
    const adHoc = explainedOf(await ask('POST', EXPLAIN, { conditions: EVERYWHERE }));
    expect([saved, adHoc].map(({ deviceCount, totalCount }) => [deviceCount, totalCount])).toStrictEqual([
      [3, 3],
      [5, 5],
    ]);
  });

  test('covers only the organization that an ad-hoc request names', async () => {
    const { orgIds, devices } = service.tenants;
    const ofB = devices.filter(({ orgId }) => orgId === orgIds.B);
    const ask = service.as('P-all');
    const body = { conditions: EVERYWHERE, orgId: orgIds.B };
    const explained = explainedOf(await ask('POST', EXPLAIN, { ...body, deviceId: ofB[0]?.id }));
    expect([explained.deviceCount, explained.totalCount]).toStrictEqual([ofB.length, ofB.length]);
    expect(explained.nodes[0]?.device).toStrictEqual({ matches: true });
    const ofA = devices.find(({ orgId }) => orgId === orgIds.A);
    expect((await ask('POST', EXPLAIN, { ...body, deviceId: ofA?.id })).status).toBe(404);
  });

  test('covers five hundred nodes at any depth', async () => {
    let deep = and(ONLINE);
    for (let level = 0; level < 498; level++) deep = level % 2 === 0 ? or(deep) : and(deep);
    const { nodes } = explainedOf(await org.ask('POST', EXPLAIN, { conditions: deep, deviceId: ONE.id }));
    expect(nodes.map(({ count, device }) => [count, device?.matches])).toStrictEqual(
      Array.from({ length: 500 }, () => [2, true]),
    );
  });
});

describe('refusals', () => {
  test.each<[string, object, readonly (readonly [string, string])[]]>([
    ['an empty body', {}, [['conditions', 'not_a_group']]],
    ['conditions that are null', { conditions: null }, [['conditions', 'not_a_group']]],
    ['an empty text', { q: '  ' }, [['q', 'empty']]],
    ['a text that is a number', { q: 5 }, [['q', 'value_required']]],
    [
      'a text beside conditions',
      { conditions: EVERYWHERE, q: 'status:online' },
      [['q', 'value_not_allowed']],
    ],
    [
      'a device that is no UUID',
      { conditions: EVERYWHERE, deviceId: 'one' },
      [['deviceId', 'invalid_value']],
    ],
    [
      'an organization that is no UUID',
      { conditions: EVERYWHERE, orgId: 'mine' },
      [['orgId', 'invalid_value']],
    ],
    ['a device that is null', { conditions: EVERYWHERE, deviceId: null }, [['deviceId', 'invalid_value']]],
    [
      'a body with faults everywhere',
      { conditions: and(is('hostnam', 'equals', 'x'), is('status', 'equals', 'x')), deviceId: 5 },
      [
        ['deviceId', 'invalid_value'],
        ['conditions.conditions[0].field', 'unknown_field'],
        ['conditions.conditions[1].value', 'invalid_value'],
      ],
    ],
    [
      'a text with a fault and an invalid id',
      { q: 'nosuchfield:5', deviceId: [] },
      [
        ['deviceId', 'invalid_value'],
        ['q', 'unknown_field'],
      ],
    ],
  ])('%s is refused with every fault, and not audited', async (_, body, faults) => {
    const before = await tracesOf(service);
    expect(refusalOf(await org.ask('POST', EXPLAIN, body))).toStrictEqual([
      400,
      'validation_failed',
      ...faults,
    ]);
    expect(await tracesOf(service)).toStrictEqual(before);
  });

  test('more than five hundred nodes are refused, however they are sent', async () => {
    const conditions = and(...Array.from({ length: 500 }, (_, i) => is('uptimeSeconds', 'equals', i)));
    const q = Array.from({ length: 500 }, (_, i) => `uptimeSeconds:${i}`).join(' ');
    const id = await save(conditions);
    const answers = [
      await org.ask('POST', EXPLAIN, { conditions }),
      await org.ask('POST', EXPLAIN, { q }),
      await org.ask('POST', `${FILTERS}/${id}/explain`),
    ];
    for (const answer of answers) {
      expect(refusalOf(answer)).toStrictEqual([400, 'too_many_nodes']);
      expect(problemOf(answer).detail).toContain('501 conditions and groups; at most 500');
    }
    const levels = 30_000;
    const deep = `${'{"operator":"AND","conditions":['.repeat(levels)}${JSON.stringify(ONLINE)}${']}'.repeat(levels)}`;
    expect(refusalOf(await org.ask('POST', EXPLAIN, `{"conditions":${deep}}`))).toStrictEqual([
      400,
      'too_many_nodes',
    ]);
  });

  test('a device out of reach is 404, as an unknown one is', async () => {
    const [ofA] = service.tenants.devices;
    const ids = [ofA?.id, newId()];
    const path = `${FILTERS}/${await save(and(ONLINE))}/explain`;
    const answers: unknown[] = [];
    for (const deviceId of ids) {
      const same = { 'X-Request-Id': 'same' };
      answers.push((await org.ask('POST', EXPLAIN, { conditions: EVERYWHERE, deviceId }, same)).body);
      answers.push((await org.ask('POST', path, { deviceId }, same)).body);
    }
    expect(answers).toStrictEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('an organization out of reach is 404, as an unknown one is, and audited', async () => {
    const answers: unknown[] = [];
    for (const orgId of [service.tenants.orgIds.A, newId()]) {
      const same = { 'X-Request-Id': 'same' };
      answers.push((await org.ask('POST', EXPLAIN, { conditions: EVERYWHERE, orgId }, same)).body);
    }
    expect(answers[1]).toStrictEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
    const [last] = (await service.probe.auditEntries()).slice(-1);
    expect(last).toMatchObject({
      action: 'filter.explain',
      result: 'denied',
      details: { reason: 'not_found' },
    });
  });

  test('a device outside the organization of the saved filter is 404', async () => {
    const ofB = service.tenants.devices.find(({ orgId }) => orgId === service.tenants.orgIds.B);
    const { filters } = service.tenants;
    const body = { deviceId: ofB?.id };
    const ask = service.as('P-all');
    const statuses = [
      (await ask('POST', `${FILTERS}/${filters.A.id}/explain`, body)).status,
      (await ask('POST', `${FILTERS}/${filters.B.id}/explain`, body)).status,
    ];
    expect(statuses).toStrictEqual([404, 200]);
  });

  test('a saved filter whose field is gone is refused as its preview is', async () => {
    const field = aCustomField({ owner: { kind: 'organization', orgId: org.orgId }, key: 'going' });
    await loadFleet(service.composition.backend, [field]);
    const id = await save(and(is('custom.going', 'isNull')));
    expect(explainedOf(await org.ask('POST', `${FILTERS}/${id}/explain`)).totalCount).toBe(3);
    await service.probe.removeCustomField(field.id);
    const same = { 'X-Request-Id': 'same' };
    const explained = await org.ask('POST', `${FILTERS}/${id}/explain`, undefined, same);
    const previewed = await org.ask('POST', `${FILTERS}/${id}/preview`, undefined, same);
    expect([explained.status, explained.body]).toStrictEqual([400, previewed.body]);
  });
});
