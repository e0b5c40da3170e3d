/** The audit entries of each action on filters (Contract: §8; Spec: Events). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp } from '#adapters/http/serve.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { FILTERS, filterOf, PREVIEW, startService, type TestService } from '#test/api/service/service.ts';
import type { KeyName, UserName } from '#test/api/service/tenants.ts';
import { newId } from '#test/support/builders.ts';
import { UUID_V7 } from '#test/support/shapes.ts';

const CANARY = 'tree-canary-91b2';
const TREE = {
  operator: 'AND',
  conditions: [{ field: 'hostname', operator: 'notEquals', value: CANARY }],
};

let service: TestService;
let requests = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Sends a request, and gives its answer with the audit entries that exist by then. */
async function record(
  caller: UserName | KeyName | 'none',
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly answer: unknown; readonly entries: readonly AuditEntry[] }> {
  requests++;
  const requestId = `audit-${requests}`;
  const answer = await service.as(caller)(method, path, body, { 'X-Request-Id': requestId });
  return { status: answer.status, answer: answer.body, entries: await entriesOf(requestId) };
}

async function entriesOf(requestId: string): Promise<readonly AuditEntry[]> {
  return (await service.probe.auditEntries()).filter((entry) => entry.requestId === requestId);
}

const entry = (given: object) => ({
  id: expect.stringMatching(UUID_V7),
  at: expect.any(Number),
  actor: { type: 'user', id: service.tenants.users['A-user'].id },
  orgId: service.tenants.orgIds.A,
  partnerId: null,
  result: 'success',
  resourceType: 'filter',
  resourceId: null,
  requestId: `audit-${requests}`,
  ip: null,
  details: {},
  ...given,
});

async function newFilter(description: string | null = null): Promise<string> {
  const body = { name: 'On record', description, conditions: TREE };
  return filterOf(await service.as('A-user')('POST', FILTERS, body)).id;
}

describe('the entries of successful actions', () => {
  test('filter.create', async () => {
    const { answer, entries } = await record('A-user', 'POST', FILTERS, { name: 'New', conditions: TREE });
    const { id } = answer as { id: string };
    expect(entries).toStrictEqual([entry({ action: 'filter.create', resourceId: id })]);
  });

  test.each<readonly [string, object, readonly string[]]>([
    ['the name', { name: 'Other' }, ['name']],
    [
      'all three',
      { name: 'Other', description: null, conditions: { ...TREE, operator: 'OR' } },
      ['name', 'description', 'conditions'],
    ],
    [
      'one of three that are sent',
      { name: 'On record', description: 'Changed', conditions: TREE },
      ['description'],
    ],
  ])('filter.update with the names of the fields that changed: %s', async (_, body, fields) => {
    const id = await newFilter('Before');
    const { entries } = await record('A-user', 'PATCH', `${FILTERS}/${id}`, body);
    expect(entries).toStrictEqual([entry({ action: 'filter.update', resourceId: id, details: { fields } })]);
  });

  test('filter.delete', async () => {
    const id = await newFilter();
    const { entries } = await record('A-user', 'DELETE', `${FILTERS}/${id}`);
    expect(entries).toStrictEqual([
      entry({ action: 'filter.delete', resourceId: id, details: { name: 'On record' } }),
    ]);
  });

  test('filter.preview', async () => {
    const { entries } = await record('A-user', 'POST', PREVIEW, { conditions: TREE });
    expect(entries).toStrictEqual([entry({ action: 'filter.preview', details: { totalCount: 3 } })]);
  });

  test('filter.saved.preview', async () => {
    const id = await newFilter();
    const { entries } = await record('A-user', 'POST', `${FILTERS}/${id}/preview?limit=1`);
    expect(entries).toStrictEqual([
      entry({ action: 'filter.saved.preview', resourceId: id, details: { totalCount: 3 } }),
    ]);
  });

  test('filter.explain, ad hoc and of a saved filter, with the device that it is about', async () => {
    const [device] = service.tenants.devices;
    const deviceId = device?.id ?? '';
    const id = await newFilter();
    const adHoc = await record('A-user', 'POST', `${FILTERS}/explain`, { conditions: TREE });
    expect(adHoc.entries).toStrictEqual([entry({ action: 'filter.explain', details: { totalCount: 3 } })]);
    const saved = await record('A-user', 'POST', `${FILTERS}/${id}/explain`, { deviceId });
    expect(saved.entries).toStrictEqual([
      entry({ action: 'filter.explain', resourceId: id, details: { totalCount: 3, deviceId } }),
    ]);
  });

  test('name an API key as the actor', async () => {
    const { entries } = await record('key-A', 'POST', PREVIEW, { conditions: TREE });
    expect(entries).toStrictEqual([
      entry({
        action: 'filter.preview',
        actor: { type: 'api_key', id: service.tenants.keys['key-A'].id },
        details: { totalCount: 3 },
      }),
    ]);
  });

  test('name the partner of partner staff, and the organization if there is only one', async () => {
    const { orgIds, partnerIds, users, filters } = service.tenants;
    const staff = { actor: { type: 'user', id: users['P-all'].id }, partnerId: partnerIds.P };
    const adHoc = await record('P-all', 'POST', PREVIEW, { conditions: TREE });
    expect(adHoc.entries).toStrictEqual([
      entry({ ...staff, action: 'filter.preview', orgId: null, details: { totalCount: 5 } }),
    ]);
    const saved = await record('P-all', 'POST', `${FILTERS}/${filters.B.id}/preview`);
    expect(saved.entries).toStrictEqual([
      entry({
        ...staff,
        action: 'filter.saved.preview',
        orgId: orgIds.B,
        resourceId: filters.B.id,
        details: { totalCount: 2 },
      }),
    ]);
    const system = await record('system', 'POST', PREVIEW, { conditions: TREE });
    expect(system.entries).toStrictEqual([
      entry({
        actor: { type: 'user', id: users.system.id },
        action: 'filter.preview',
        orgId: null,
        details: { totalCount: 6 },
      }),
    ]);
  });

  test('have the address of the client', async () => {
    const server = await serveApp(service.composition.app, { host: '127.0.0.1', port: 0 });
    try {
      const response = await fetch(`${server.url}${PREVIEW}`, {
        method: 'POST',
        headers: {
          ...(await service.credentialOf('A-user')),
          'Content-Type': 'application/json',
          'X-Request-Id': 'audit-address',
          'X-Forwarded-For': '203.0.113.9',
        },
        body: JSON.stringify({ conditions: TREE }),
      });
      expect(response.status).toBe(200);
    } finally {
      await server.close(1_000);
    }
    expect((await entriesOf('audit-address')).map(({ ip }) => ip)).toStrictEqual(['127.0.0.1']);
  });
});

describe('the entries of denied actions', () => {
  test.each([
    ['filter.update', 'PATCH', '', { name: 'x' }],
    ['filter.delete', 'DELETE', '', undefined],
    ['filter.saved.preview', 'POST', '/preview', undefined],
    ['filter.explain', 'POST', '/explain', undefined],
  ] as const)('%s of a filter that is out of reach or unknown', async (action, method, suffix, body) => {
    for (const id of [service.tenants.filters.C.id, newId()]) {
      const { status, entries } = await record('A-user', method, `${FILTERS}/${id}${suffix}`, body);
      expect([status, entries]).toStrictEqual([
        404,
        [entry({ action, result: 'denied', resourceId: id, details: { reason: 'not_found' } })],
      ]);
    }
  });

  test('filter.explain of a device that is out of reach or unknown', async () => {
    const ofC = service.tenants.devices.find(({ orgId }) => orgId === service.tenants.orgIds.C);
    for (const deviceId of [ofC?.id, newId()]) {
      const body = { conditions: TREE, deviceId };
      const { status, entries } = await record('A-user', 'POST', `${FILTERS}/explain`, body);
      expect([status, entries]).toStrictEqual([
        404,
        [entry({ action: 'filter.explain', result: 'denied', details: { reason: 'unknown-device' } })],
      ]);
    }
  });

  test('filter.create in an organization out of reach', async () => {
    const { orgIds, partnerIds, users } = service.tenants;
    const { status, entries } = await record('P-all', 'POST', FILTERS, {
      name: 'x',
      conditions: TREE,
      orgId: orgIds.C,
    });
    expect([status, entries]).toStrictEqual([
      403,
      [
        entry({
          action: 'filter.create',
          result: 'denied',
          actor: { type: 'user', id: users['P-all'].id },
          partnerId: partnerIds.P,
          orgId: null,
          details: { reason: 'org-out-of-reach' },
        }),
      ],
    ]);
  });
});

describe('no entry is left by', () => {
  test.each<readonly [string, UserName | 'none', string, string, unknown]>([
    ['a list', 'A-user', 'GET', FILTERS, undefined],
    ['the fields', 'A-user', 'GET', `${FILTERS}/fields`, undefined],
    ['a body that is refused', 'A-user', 'POST', FILTERS, { name: '' }],
    ['a preview that is refused', 'A-user', 'POST', PREVIEW, { conditions: {} }],
    ['a malformed id', 'A-user', 'DELETE', `${FILTERS}/nonsense`, undefined],
    ['a request without a credential', 'none', 'POST', PREVIEW, { conditions: TREE }],
    ['an unknown address', 'A-user', 'POST', '/api/v1/nothing', {}],
  ])('%s', async (_, caller, method, path, body) => {
    expect((await record(caller, method, path, body)).entries).toStrictEqual([]);
  });

  test('an update that changes nothing', async () => {
    const id = await newFilter();
    for (const body of [{}, { name: 'On record', conditions: TREE, description: null }]) {
      expect((await record('A-user', 'PATCH', `${FILTERS}/${id}`, body)).entries).toStrictEqual([]);
    }
  });
});

test('100 previews, as many at once as one caller may send, leave 100 entries', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `audit-many-${i}`);
  const ask = service.as('A-user');
  for (let from = 0; from < ids.length; from += 25) {
    const some = ids.slice(from, from + 25);
    await Promise.all(some.map((id) => ask('POST', PREVIEW, { conditions: TREE }, { 'X-Request-Id': id })));
  }
  const entries = (await service.probe.auditEntries()).map(({ requestId }) => requestId);
  expect(entries.filter((id) => id.startsWith('audit-many-')).toSorted()).toStrictEqual(ids.toSorted());
});

test('no entry holds a value of a filter, a credential or a secret', async () => {
  const entries = (await service.probe.auditEntries()).map((one) => JSON.stringify(one));
  const secrets = [
    CANARY,
    'hostname',
    'notEquals',
    'Bearer',
    'eyJ',
    ...Object.values(service.tenants.keys).map(({ key }) => key),
  ];
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.filter((text) => secrets.some((secret) => text.includes(secret)))).toStrictEqual([]);
});
