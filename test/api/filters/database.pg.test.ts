/** What PostgreSQL adds to the meaning of filters: its zone, its reasons, its limits, its indexes. */
import type { Composition } from 'fleetsift';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  databaseOf,
  FILTERS,
  type NewOrg,
  PREVIEW,
  type PreviewBody,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice } from '#test/support/builders.ts';
import {
  and,
  type ConditionService,
  invalid,
  is,
  NOW,
  startConditionService,
  VALUE,
} from './condition-service.ts';

let service: TestService;
let empty: NewOrg;
let withDevices: ConditionService['withDevices'];
let refusedEverywhere: ConditionService['refusedEverywhere'];

beforeAll(async () => {
  ({ service, empty, withDevices, refusedEverywhere } = await startConditionService());
});
afterAll(() => service.close());

const EVERY = and(is('hostname', 'isNotNull'));

describe('in a database whose sessions begin in another zone', () => {
  const seen = (hostname: string, text: string) => ({ hostname, lastSeenAt: Date.parse(text) });
  /** An instance whose sessions began after the zone was set. */
  let elsewhere: Composition;

  beforeAll(async () => {
    await databaseOf(service).owner.query(
      `do $$ begin execute format('alter database %I set timezone = ''Asia/Kolkata''', current_database()); end $$`,
    );
    const timeouts = { filterTimeoutMs: 10_000, searchTimeoutMs: 10_000 };
    const { clock, hashPassword } = service.composition;
    elsewhere = await service.store.compose(timeouts, { clock, hashPassword });
  });
  afterAll(() => elsewhere.close());

  async function find({ userId }: NewOrg, condition: object): Promise<readonly string[]> {
    const response = await elsewhere.app.request(PREVIEW, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await service.issueToken(userId)}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ conditions: and(condition) }),
    });
    const { data } = (await response.json()) as { data: PreviewBody };
    return data.devices.map(({ hostname }) => hostname);
  }

  test('new sessions have that zone', async () => {
    const client = new Client({ connectionString: databaseOf(service).url });
    await client.connect();
    const { rows } = await client.query('show timezone');
    await client.end();
    expect(rows).toStrictEqual([{ TimeZone: 'Asia/Kolkata' }]);
  });

  test('the offset in a date is used', async () => {
    const org = await withDevices(
      seen('before', '2026-01-31T18:59:59.999Z'),
      seen('at', '2026-01-31T19:00:00.000Z'),
      seen('after', '2026-01-31T20:00:00.000Z'),
    );
    expect(await find(org, is('lastSeenAt', 'before', '2026-02-01T00:00:00+05:00'))).toStrictEqual([
      'before',
    ]);
    expect(await find(org, is('lastSeenAt', 'equals', '2026-02-01T00:00:00+05:00'))).toStrictEqual(['at']);
  });

  test('the zone of the session is ignored', async () => {
    const org = await withDevices(
      { hostname: 'in', lastSeenAt: NOW - 3_600_000 },
      { hostname: 'out', lastSeenAt: NOW - 3_600_001 },
    );
    expect(await find(org, is('lastSeenAt', 'withinLast', { amount: 1, unit: 'hours' }))).toStrictEqual([
      'in',
    ]);
    expect(await find(org, is('lastSeenAt', 'equals', '2026-02-01'))).toStrictEqual(['in', 'out']);
  });
});

test.each(['(', '[', 'a{2,1}', '*a', '\\', '(?<name>a)', 'a{1,256}'])(
  'the regular expression %j is refused with the reason that PostgreSQL gives',
  async (pattern) => {
    const reason = await databaseOf(service)
      .owner.query(`select '' ~ $1`, [pattern])
      .then(() => null)
      .catch((error: Error) => error.message.replace('invalid regular expression: ', ''));
    expect(reason).not.toBeNull();
    expect(await refusedEverywhere(is('hostname', 'matches', pattern))).toStrictEqual(
      invalid([VALUE, 'invalid_pattern']),
    );
    const { preview } = empty;
    expect(problemOf(await preview(is('hostname', 'matches', pattern))).detail).toContain(reason);
  },
);

test('a system caller previews everything', async () => {
  const { rows } = await databaseOf(service).owner.query<{ count: string }>('select count(*) from device');
  expect(previewOf(await service.as('system')('POST', PREVIEW, { conditions: EVERY })).totalCount).toBe(
    Number(rows[0]?.count),
  );
});

test('a filter that takes too long is 422, and its time limit ends with it', async () => {
  const hasty = await startService({ filterTimeoutMs: 100 });
  try {
    const org = await hasty.inNewOrg((orgId) =>
      Array.from({ length: 50 }, (_, i) => aDevice({ orgId, hostname: `${'ab'.repeat(200)}yz${i}` })),
    );
    const answer = await org.preview(is('hostname', 'matches', '(.*).*(.*).*(.*)\\1y\\2z\\3'));
    expect(refusalOf(answer)).toStrictEqual([422, 'filter_timeout']);
    const { rows } = await databaseOf(hasty).owner.query(
      `select action, result, details from audit_log where org_id = $1`,
      [org.orgId],
    );
    expect(rows).toStrictEqual([
      { action: 'filter.preview', result: 'denied', details: { reason: 'timeout' } },
    ]);
    const bounded = await org.preview(is('hostname', 'matches', '((a{0,255}){0,20}){0,5}'));
    expect([
      [400, 'validation_failed', [VALUE, 'invalid_pattern']],
      [422, 'filter_timeout'],
    ]).toContainEqual(refusalOf(bounded));
    expect((await org.ask('POST', FILTERS, { name: 'Afterwards', conditions: EVERY })).status).toBe(201);
    const settings = await databaseOf(hasty).owner.query<{ timeout: string }>(
      `select distinct setconfig::text as timeout from pg_db_role_setting where setconfig::text like '%statement_timeout%'`,
    );
    expect(settings.rows).toStrictEqual([]);
  } finally {
    await hasty.close();
  }
});

test('the list of filters has an index that begins with the organization', async () => {
  const { rows } = await databaseOf(service).owner.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'saved_filter' and indexdef like '%(org_id, created_at DESC, id DESC)%'`,
  );
  expect(rows).toHaveLength(1);
});
