/** What goes on record of each action on filters, and what does not (Contract: §8; Spec: Events). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp } from '#adapters/http/serve.ts';
import {
  FILTERS,
  filterOf,
  PREVIEW,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import type { KeyName, UserName } from '#test/api/service/tenants.ts';
import { aDevice, newId } from '#test/support/builders.ts';

const CANARY = 'tree-canary-91b2';
const TREE = {
  operator: 'AND',
  conditions: [{ field: 'hostname', operator: 'notEquals', value: CANARY }],
};
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Entry {
  readonly [member: string]: unknown;
}

let service: TestService;
let requests = 0;

beforeAll(async () => {
  service = await startService({ filterTimeoutMs: 1_000 });
});
afterAll(() => service.close());

/** Asks, and gives what is on record of it at the moment in which the answer is there. */
async function record(
  caller: UserName | KeyName | 'none',
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly answer: unknown; readonly entries: readonly Entry[] }> {
  requests++;
  const requestId = `audit-${requests}`;
  const answer = await service.as(caller)(method, path, body, { 'X-Request-Id': requestId });
  return { status: answer.status, answer: answer.body, entries: await entriesOf(requestId) };
}

async function entriesOf(requestId: string): Promise<readonly Entry[]> {
  const { rows } = await service.owner.query<Entry>(
    'select * from audit_log where request_id = $1 order by id',
    [requestId],
  );
  return rows;
}

const entry = (given: object) => ({
  id: expect.stringMatching(UUID_V7),
  at: expect.any(Date),
  actor_type: 'user',
  actor_id: service.tenants.users['A-user'].id,
  org_id: service.tenants.orgIds.A,
  partner_id: null,
  result: 'success',
  resource_type: 'filter',
  resource_id: null,
  request_id: `audit-${requests}`,
  ip: null,
  details: {},
  ...given,
});

async function newFilter(description: string | null = null): Promise<string> {
  const body = { name: 'On record', description, conditions: TREE };
  return filterOf(await service.as('A-user')('POST', FILTERS, body)).id;
}

describe('what succeeds', () => {
  test('filter.create', async () => {
    const { answer, entries } = await record('A-user', 'POST', FILTERS, { name: 'New', conditions: TREE });
    const { id } = answer as { id: string };
    expect(entries).toStrictEqual([entry({ action: 'filter.create', resource_id: id })]);
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
    expect(entries).toStrictEqual([entry({ action: 'filter.update', resource_id: id, details: { fields } })]);
  });

  test('filter.delete', async () => {
    const id = await newFilter();
    const { entries } = await record('A-user', 'DELETE', `${FILTERS}/${id}`);
    expect(entries).toStrictEqual([
      entry({ action: 'filter.delete', resource_id: id, details: { name: 'On record' } }),
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
      entry({ action: 'filter.saved.preview', resource_id: id, details: { totalCount: 3 } }),
    ]);
  });

  test('an API key is on record as itself', async () => {
    const { entries } = await record('key-A', 'POST', PREVIEW, { conditions: TREE });
    expect(entries).toStrictEqual([
      entry({
        action: 'filter.preview',
        actor_type: 'api_key',
        actor_id: service.tenants.keys['key-A'].id,
        details: { totalCount: 3 },
      }),
    ]);
  });

  test('partner staff are on record with their partner, and with the organization where it is one', async () => {
    const { orgIds, partnerIds, users, filters } = service.tenants;
    const staff = { actor_id: users['P-all'].id, partner_id: partnerIds.P };
    const adHoc = await record('P-all', 'POST', PREVIEW, { conditions: TREE });
    expect(adHoc.entries).toStrictEqual([
      entry({ ...staff, action: 'filter.preview', org_id: null, details: { totalCount: 5 } }),
    ]);
    const saved = await record('P-all', 'POST', `${FILTERS}/${filters.B.id}/preview`);
    expect(saved.entries).toStrictEqual([
      entry({
        ...staff,
        action: 'filter.saved.preview',
        org_id: orgIds.B,
        resource_id: filters.B.id,
        details: { totalCount: 2 },
      }),
    ]);
    const system = await record('system', 'POST', PREVIEW, { conditions: TREE });
    expect(system.entries).toStrictEqual([
      entry({
        actor_id: users.system.id,
        action: 'filter.preview',
        org_id: null,
        details: { totalCount: 6 },
      }),
    ]);
  });

  test('with the address of the client', async () => {
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

describe('what is denied', () => {
  test.each([
    ['filter.update', 'PATCH', '', { name: 'x' }],
    ['filter.delete', 'DELETE', '', undefined],
    ['filter.saved.preview', 'POST', '/preview', undefined],
  ] as const)('%s of a filter that is out of reach or not there', async (action, method, suffix, body) => {
    for (const id of [service.tenants.filters.C.id, newId()]) {
      const { status, entries } = await record('A-user', method, `${FILTERS}/${id}${suffix}`, body);
      expect([status, entries]).toStrictEqual([
        404,
        [entry({ action, result: 'denied', resource_id: id, details: { reason: 'not_found' } })],
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
          actor_id: users['P-all'].id,
          partner_id: partnerIds.P,
          org_id: null,
          details: { reason: 'org-out-of-reach' },
        }),
      ],
    ]);
  });

  test('a preview that takes too long', async () => {
    const org = await service.inNewOrg((orgId) =>
      Array.from({ length: 50 }, (_, i) => aDevice({ orgId, hostname: `${'ab'.repeat(200)}yz${i}` })),
    );
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'matches', value: '(.*).*(.*).*(.*)\\1y\\2z\\3' }],
    };
    requests++;
    const answer = await org.ask('POST', PREVIEW, { conditions }, { 'X-Request-Id': `audit-${requests}` });
    expect(refusalOf(answer)).toStrictEqual([422, 'filter_timeout']);
    expect(await entriesOf(`audit-${requests}`)).toStrictEqual([
      entry({
        action: 'filter.preview',
        result: 'denied',
        actor_id: org.userId,
        org_id: org.orgId,
        details: { reason: 'timeout' },
      }),
    ]);
  });
});

describe('what leaves nothing', () => {
  test.each<readonly [string, UserName | 'none', string, string, unknown]>([
    ['a list', 'A-user', 'GET', FILTERS, undefined],
    ['the fields', 'A-user', 'GET', `${FILTERS}/fields`, undefined],
    ['a body that is refused', 'A-user', 'POST', FILTERS, { name: '' }],
    ['a preview that is refused', 'A-user', 'POST', PREVIEW, { conditions: {} }],
    ['a malformed id', 'A-user', 'DELETE', `${FILTERS}/nonsense`, undefined],
    ['a request of nobody', 'none', 'POST', PREVIEW, { conditions: TREE }],
    ['an address that is none', 'A-user', 'POST', '/api/v1/nothing', {}],
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

describe('a change and its entry are one transaction', () => {
  const failing = (table: string) => `
    create function refuse_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$;
    create trigger refuse_${table} before insert or update or delete on ${table}
      for each row execute function refuse_${table}()`;
  const working = (table: string) =>
    `drop trigger refuse_${table} on ${table}; drop function refuse_${table}()`;

  test.each(['audit_log', 'saved_filter'])('where writing to %s fails, neither is there', async (table) => {
    const id = await newFilter();
    const before = await filtersNow();
    await service.owner.query(failing(table));
    try {
      for (const [method, path, body] of [
        ['POST', FILTERS, { name: 'Undone', conditions: TREE }],
        ['PATCH', `${FILTERS}/${id}`, { name: 'Undone' }],
        ['DELETE', `${FILTERS}/${id}`],
      ] as const) {
        const { status, answer, entries } = await record('A-user', method, path, body);
        expect([status, entries]).toStrictEqual([500, []]);
        expect(JSON.stringify(answer)).not.toContain('refused by the test');
      }
    } finally {
      await service.owner.query(working(table));
    }
    expect(await filtersNow()).toStrictEqual(before);
  });

  test('a preview that cannot be put on record is not answered', async () => {
    await service.owner.query(failing('audit_log'));
    try {
      const { status, answer } = await record('A-user', 'POST', PREVIEW, { conditions: TREE });
      expect([status, answer]).toMatchObject([500, { code: 'internal' }]);
    } finally {
      await service.owner.query(working('audit_log'));
    }
    expect((await record('A-user', 'POST', PREVIEW, { conditions: TREE })).entries).toHaveLength(1);
  });

  async function filtersNow(): Promise<unknown> {
    return (await service.owner.query('select * from saved_filter order by id')).rows;
  }
});

test('100 previews at once leave 100 entries', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `audit-many-${i}`);
  const ask = service.as('A-user');
  await Promise.all(ids.map((id) => ask('POST', PREVIEW, { conditions: TREE }, { 'X-Request-Id': id })));
  const { rows } = await service.owner.query<{ request_id: string }>(
    `select request_id from audit_log where request_id like 'audit-many-%'`,
  );
  expect(rows.map(({ request_id }) => request_id).toSorted()).toStrictEqual(ids.toSorted());
});

test('no entry holds a value of a filter, a credential or a secret', async () => {
  const { rows } = await service.owner.query<{ entry: string }>(
    'select row_to_json(a)::text as entry from audit_log a',
  );
  const secrets = [
    CANARY,
    'hostname',
    'notEquals',
    'Bearer',
    'eyJ',
    ...Object.values(service.tenants.keys).map(({ key }) => key),
  ];
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ entry: text }) => secrets.some((secret) => text.includes(secret)))).toStrictEqual([]);
});

test("the service's own roles can neither change nor remove entries", async () => {
  const { rows } = await service.owner.query<{ name: string }>('select current_database() as name');
  for (const role of ['app', 'reader']) {
    for (const statement of [
      'update audit_log set action = $$x$$',
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      await service.owner.query('begin');
      await service.owner.query(`set local role ${rows[0]?.name}_${role}`);
      await expect(service.owner.query(statement)).rejects.toMatchObject({ code: '42501' });
      await service.owner.query('rollback');
    }
  }
});
