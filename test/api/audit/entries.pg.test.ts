/** A change and its audit entry are one transaction, and an entry cannot be altered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  databaseOf,
  FILTERS,
  filterOf,
  PREVIEW,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice } from '#test/support/builders.ts';

const TREE = { operator: 'AND', conditions: [{ field: 'hostname', operator: 'isNotNull' }] };

let service: TestService;
let requests = 0;

beforeAll(async () => {
  service = await startService({ filterTimeoutMs: 1_000 });
});
afterAll(() => service.close());

/** Sends a request as a user of A, and gives its answer with the audit entries that exist by then. */
async function record(method: string, path: string, body?: unknown) {
  requests++;
  const requestId = `audit-${requests}`;
  const answer = await service.as('A-user')(method, path, body, { 'X-Request-Id': requestId });
  return { status: answer.status, answer: answer.body, entries: await entriesOf(requestId) };
}

async function entriesOf(requestId: string) {
  return (await service.probe.auditEntries()).filter((entry) => entry.requestId === requestId);
}

async function newFilter(): Promise<string> {
  return filterOf(await service.as('A-user')('POST', FILTERS, { name: 'On record', conditions: TREE })).id;
}

test('a preview that cannot be audited because the disk is full says so', async () => {
  const { owner } = databaseOf(service);
  // The state that PostgreSQL gives when it cannot extend a file.
  await owner.query(`create function fill_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger fill_disk before insert on audit_log for each row execute function fill_disk()`);
  try {
    const { status, answer, entries } = await record('POST', PREVIEW, { conditions: TREE });
    expect(status).toBe(503);
    expect(answer).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('disk is full') });
    expect(entries).toStrictEqual([]);
  } finally {
    await owner.query('drop trigger fill_disk on audit_log; drop function fill_disk()');
  }
});

describe('a change and its entry are one transaction', () => {
  const failing = (table: string) => `
    create function refuse_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$;
    create trigger refuse_${table} before insert or update or delete on ${table}
      for each row execute function refuse_${table}()`;
  const working = (table: string) =>
    `drop trigger refuse_${table} on ${table}; drop function refuse_${table}()`;

  test.each(['audit_log', 'saved_filter'])('if writing to %s fails, neither is stored', async (table) => {
    const id = await newFilter();
    const before = await service.probe.filters();
    await databaseOf(service).owner.query(failing(table));
    try {
      for (const [method, path, body] of [
        ['POST', FILTERS, { name: 'Undone', conditions: TREE }],
        ['PATCH', `${FILTERS}/${id}`, { name: 'Undone' }],
        ['DELETE', `${FILTERS}/${id}`],
      ] as const) {
        const { status, answer, entries } = await record(method, path, body);
        expect([status, entries]).toStrictEqual([500, []]);
        expect(JSON.stringify(answer)).not.toContain('refused by the test');
      }
    } finally {
      await databaseOf(service).owner.query(working(table));
    }
    expect(await service.probe.filters()).toStrictEqual(before);
  });

  test('a preview that cannot be audited is not answered', async () => {
    await databaseOf(service).owner.query(failing('audit_log'));
    try {
      const { status, answer } = await record('POST', PREVIEW, { conditions: TREE });
      expect([status, answer]).toMatchObject([500, { code: 'internal' }]);
    } finally {
      await databaseOf(service).owner.query(working('audit_log'));
    }
    expect((await record('POST', PREVIEW, { conditions: TREE })).entries).toHaveLength(1);
  });
});

test("the service's own roles can neither change nor remove entries", async () => {
  const { rows } = await databaseOf(service).owner.query<{ name: string }>(
    'select current_database() as name',
  );
  for (const role of ['app', 'reader']) {
    for (const statement of [
      'update audit_log set action = $$x$$',
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      await databaseOf(service).owner.query('begin');
      await databaseOf(service).owner.query(`set local role ${rows[0]?.name}_${role}`);
      await expect(databaseOf(service).owner.query(statement)).rejects.toMatchObject({ code: '42501' });
      await databaseOf(service).owner.query('rollback');
    }
  }
});

test('a preview that takes too long is refused and audited', async () => {
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
  const entries = await entriesOf(`audit-${requests}`);
  expect(entries).toStrictEqual([
    {
      id: expect.any(String),
      at: expect.any(Number),
      actor: { type: 'user', id: org.userId },
      orgId: org.orgId,
      partnerId: null,
      action: 'filter.preview',
      result: 'denied',
      resourceType: 'filter',
      resourceId: null,
      details: { reason: 'timeout' },
      requestId: `audit-${requests}`,
      ip: null,
    },
  ]);
});
