/** Searches that take too long or are given up, and the searched texts, which every kind of write keeps current. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { makeSearcher } from '#adapters/postgres/reads/search/searcher.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import { WORD_SIMILARITY } from '#adapters/postgres/reads/sql/search/search-part.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import type { Searcher, SearchRequest } from '#application/ports/search/searcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { LETTER_OR_DIGIT, STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import { tellFirstBlocks } from '#test/adapters/postgres/first-blocks.ts';
import { backendsOf, untilBusy } from '#test/adapters/postgres/reads/slow-fleet.ts';
import {
  aDevice,
  anAlert,
  aScript,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

/** Longer than any test waits for something else, in milliseconds. */
const LONG_MS = 60_000;
/** Long enough for a search on a busy machine. */
const SHORT_MS = 1_500;

let world: PostgresWorld;
let tenant: Tenant;
let readers: ScopedReader[] = [];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenant = await createTenant(world.backend);
});

afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  readers = [];
});

afterAll(() => world.close());

/** A searcher of the test's own. `serverMs` is PostgreSQL's limit. */
function openSearcher({ timeoutMs = LONG_MS, serverMs = LONG_MS } = {}): Pick<Searcher, 'search'> {
  const reader = openScopedReader({
    connection: world.connection('reader', { statement_timeout: String(serverMs), ...WORD_SIMILARITY }),
    poolSize: 1,
    timeoutMs,
  });
  readers.push(reader);
  return makeSearcher(reader, 60_000);
}

/** The ids that are found, or the kind of the refusal. */
async function idsFor(searcher: Pick<Searcher, 'search'>, text: string, given: Partial<SearchRequest> = {}) {
  const found = await searcher.search({
    text,
    scope: SYSTEM_SCOPE,
    limit: 50,
    categories: STORED_CATEGORIES,
    onBehalfOf: 'somebody',
    ...given,
  });
  if (!found.ok) return found.error.kind;
  return STORED_CATEGORIES.flatMap((category) => found.value[category].map(({ id }) => id));
}

/** Keeps every search waiting for as long as the work takes. */
function whileNobodyReads<T>(work: () => Promise<T>): Promise<T> {
  return world.connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('lock table device_search in access exclusive mode');
    try {
      return await work();
    } finally {
      await owner.query('rollback');
    }
  });
}

describe('the time limit of searches', () => {
  test.each([
    ["the service's limit", { timeoutMs: SHORT_MS }],
    ["PostgreSQL's limit", { serverMs: SHORT_MS }],
  ])('ends a search, and its connection is used again: %s', async (_whose, limits) => {
    const searcher = openSearcher(limits);
    expect(await idsFor(searcher, 'nothing')).toStrictEqual([]);
    const before = await backendsOf(world, 'reader', 'idle');
    expect(await whileNobodyReads(() => idsFor(searcher, 'nothing'))).toBe('timeout');
    await untilBusy(world, 'reader', 0);
    expect(await idsFor(searcher, 'nothing')).toStrictEqual([]);
    expect(await backendsOf(world, 'reader', 'idle')).toStrictEqual(expect.arrayContaining(before));
  });

  test('is separate from that of previews', async () => {
    const impatient = await createPostgresWorld(inject('databaseUrl'), { searchTimeoutMs: 1 });
    try {
      const { orgId } = await createTenant(impatient.backend);
      expect(
        await impatient.connected('owner', async (owner) => {
          await owner.query('begin');
          await owner.query('lock table device_search in access exclusive mode');
          const kind = await idsFor(impatient.backend.searcher, 'a', { scope: orgScope(orgId) });
          await owner.query('rollback');
          return kind;
        }),
      ).toBe('timeout');
    } finally {
      await impatient.close();
    }
  });
});

describe('a caller who gives up a search', () => {
  test('ends the statement in the database', async () => {
    const searcher = openSearcher();
    const controller = new AbortController();
    await whileNobodyReads(async () => {
      const looking = idsFor(searcher, 'nothing', { signal: controller.signal });
      await untilBusy(world, 'reader', 1);
      controller.abort();
      expect(await looking).toBe('cancelled');
      await untilBusy(world, 'reader', 0);
    });
    expect(await idsFor(searcher, 'nothing')).toStrictEqual([]);
  });
});

describe('the searched text', () => {
  test('is kept current by the database, however a device is written', async () => {
    const { searcher } = world.backend;
    const [id, word, other] = [newId<'device'>(), 'sought-4711', 'elsewhere-4711'];
    const idsOf = async (text: string) => idsFor(searcher, text);
    await world.query(
      'owner',
      `insert into device (id, org_id, status, device_role, hostname, hostname_lc, display_name_lc, display_name)
       values ($1, $2, 'online', 'server', 'Sought-4711', 'sought-4711', '', null)`,
      [id, tenant.orgId],
    );
    expect(await idsOf(word)).toStrictEqual([id]);
    await world.query('owner', 'update device set hostname = $2, hostname_lc = $2 where id = $1', [
      id,
      other,
    ]);
    expect([await idsOf(word), await idsOf(other)]).toStrictEqual([[], [id]]);
    await world.query('owner', `update device set last_user = 'sought-4711' where id = $1`, [id]);
    expect(await idsOf(word)).toStrictEqual([id]);
    await world.query('owner', 'delete from device where id = $1', [id]);
    expect([await idsOf(word), await idsOf(other)]).toStrictEqual([[], []]);
    expect(await world.query('owner', 'select 1 from device_search where id = $1', [id])).toStrictEqual([]);
  });

  test('is not rewritten by a heartbeat or by a load that does not change it', async () => {
    const device = aDevice({ orgId: tenant.orgId, hostname: 'beating-1' });
    await loadFleet(world.backend, [device]);
    const version = async () =>
      world.query('owner', 'select xmin::text, ctid::text from device_search where id = $1', [device.id]);
    const before = await version();
    await world.query('owner', 'update device set last_seen_at = now(), cpu_percent = 5 where id = $1', [
      device.id,
    ]);
    await loadFleet(world.backend, [{ ...device, status: 'offline' }]);
    expect(await version()).toStrictEqual(before);
  });

  test('can be vacuumed, analyzed and reindexed, which happens without a search path', async () => {
    await loadFleet(world.backend, [
      aDevice({ orgId: tenant.orgId, hostname: 'srv-büro-12', displayName: `x${'y'.repeat(3_000)}` }),
      aScript({ owner: { kind: 'organization', orgId: tenant.orgId } }),
      anAlert({ orgId: tenant.orgId, title: 'Disk full', message: 'm'.repeat(40_000) }),
    ]);
    for (const table of ['device_search', 'script_search', 'alert_search']) {
      await world.query('owner', `vacuum (analyze) ${table}`);
      await world.query('owner', `reindex table ${table}`);
    }
    expect(await idsFor(world.backend.searcher, 'srv-büro')).toHaveLength(1);
  });

  test('has word beginnings where the domain has them, after any character', async () => {
    const rows = await world.query<{ code: number; is_marked: boolean }>(
      'owner',
      `select code, search_words(chr(code)) <> chr(code) as is_marked
       from generate_series(1, 1114111) code where code not between 55296 and 57343`,
    );
    const differing = rows.filter(
      ({ code, is_marked }) => is_marked === LETTER_OR_DIGIT.test(String.fromCodePoint(code)),
    );
    expect(rows).toHaveLength(1_114_111 - 2_048);
    expect(differing).toStrictEqual([]);
  });

  test('is found beside a row that is in two blocks because it was written twice', async () => {
    const { partnerId, orgIds } = await createTenant(world.backend, 2);
    const [first, second] = orgIds as [OrgId, OrgId];
    const twice = aDevice({ orgId: first, hostname: 'a-two-blocks-1', lastUser: null });
    const next = aDevice({ orgId: second, hostname: 'b-two-blocks-2' });
    await loadFleet(world.backend, [twice]);
    await loadFleet(world.backend, [{ ...twice, lastUser: 'jdoe' }, next]);
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 1,
      timeoutMs: LONG_MS,
    });
    readers.push(reader);
    // Both blocks of the first device are read before any other, and its one row is not the two that are wanted.
    const searcher = makeSearcher(reader, LONG_MS, { ...SEARCH_BOUNDS, round: 2 });
    const scope = partnerScope(partnerId, orgIds);
    for (const text of ['two-blocks', 'wo-blocks']) {
      const found = await idsFor(searcher, text, { scope, limit: 2 });
      expect(new Set(found)).toStrictEqual(new Set([twice.id, next.id]));
    }
  });

  test('is found by a text without windows, in any scope', async () => {
    const { partnerId, orgIds } = await createTenant(world.backend, 2);
    const devices = orgIds.map((orgId) => aDevice({ orgId, hostname: `windowless \u001d ${orgId}` }));
    await loadFleet(world.backend, devices);
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 1,
      timeoutMs: LONG_MS,
    });
    readers.push(reader);
    const idsIn = async (scope: AccessScope, bounds: Partial<SearchBounds> = {}) => {
      const searcher = makeSearcher(reader, LONG_MS, { ...SEARCH_BOUNDS, ...bounds });
      return new Set(await idsFor(searcher, '\u001d', { scope }));
    };
    const [first, second] = devices.map(({ id }) => id);
    const both = partnerScope(partnerId, orgIds);
    expect(await idsIn(both, { apart: 1, ahead: 0 })).toStrictEqual(new Set([first, second]));
    expect(await idsIn(both)).toStrictEqual(new Set([first, second]));
    expect(await idsIn(orgScope(orgIds[0] as OrgId))).toStrictEqual(new Set([first]));
    expect([...(await idsIn(SYSTEM_SCOPE))]).toEqual(expect.arrayContaining([first, second]));
  });

  test('is found in several organizations behind matches of other tenants', async () => {
    const { partnerId, orgIds } = await createTenant(world.backend, 2);
    const foreign = aDevice({ orgId: tenant.orgId, hostname: '!a-beyond' });
    const own = aDevice({ orgId: orgIds[0] as OrgId, hostname: '!b-beyond' });
    // What is written at once gets its own blocks.
    for (const device of [foreign, own]) await loadFleet(world.backend, [device]);
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 1,
      timeoutMs: LONG_MS,
    });
    readers.push(reader);
    const searcher = makeSearcher(reader, LONG_MS, { ...SEARCH_BOUNDS, apart: 1, ahead: 9, tried: 1 });
    const scope = partnerScope(partnerId, orgIds);
    expect(await idsFor(searcher, 'beyond', { scope })).toStrictEqual([own.id]);
    await tellFirstBlocks(world, 1);
    expect(await idsFor(searcher, 'beyond', { scope })).toStrictEqual([own.id]);
  });

  test('has blocks of titles that only the reading role can read', async () => {
    await loadFleet(world.backend, [aDevice({ orgId: tenant.orgId, hostname: 'family-0001' })]);
    const blocks = (role: 'app' | 'reader') =>
      world.query(role, `select 1 from device_search_block where windows @@ '''fam'''::tsquery`);
    expect((await blocks('reader')).length).toBeGreaterThan(1);
    await expect(blocks('app')).rejects.toThrow('permission denied');
  });
});

describe('the text of a search', () => {
  test.each([
    ['a', 'b'],
    ['ab', 'ac'],
    ['x\ud7ff', 'x\ue000'],
    ['x\u{10ffff}', 'y'],
    ['x\u{10ffff}\u{10ffff}', 'y'],
  ])('%j and all texts that begin with it come before %j', (text, next) => {
    expect(searchTerms(text).afterPrefix).toBe(next);
  });

  test('asks for few windows: around joints, with digits, between words, and others', () => {
    const windows = (text: string) => searchTerms(text).windows.split(' & ');
    expect(windows('desktop-7f3a')).toStrictEqual(["'op-7f3'", "'f3a'", "'des'", "'skt'", "'kto'", "'top'"]);
    expect(windows('desktop-7f')).toStrictEqual(["'op-7f':*", "'des'", "'esk'", "'skt'", "'kto'", "'top'"]);
    expect(windows('sw-paris-801')).toStrictEqual(["'sw-par'", "'is-801'", "'ari'", "'ris'"]);
    expect(windows('0123456789')).toStrictEqual(["'012'", "'234'", "'345'", "'456'", "'678'", "'789'"]);
    expect(windows('a long text of many words')).toHaveLength(6);
    expect(windows('srv-sql-oslo')).toStrictEqual(["'rv-sql-osl'", "'srv'", "'slo'"]);
    expect(windows("it's")).toStrictEqual(["'it''s':*"]);
    expect(windows('\\')).toStrictEqual(["'\\\\'"]);
  });

  test('is compared with sampled titles if all titles take too long', async () => {
    const ids = Array.from({ length: 3_000 }, () => newId<'device'>());
    const [sampled] = await world.query<{ id: (typeof ids)[0] }>(
      'owner',
      'select id from unnest($1::uuid[]) id where (uuid_hash(id) & 255) = 0',
      [ids],
    );
    const [other] = await world.query<{ id: (typeof ids)[0] }>(
      'owner',
      'select id from unnest($1::uuid[]) id where (uuid_hash(id) & 255) <> 0',
      [ids],
    );
    if (sampled === undefined || other === undefined) throw new Error('no id is sampled');
    const { orgId } = tenant;
    const odd = aDevice({ orgId, hostname: 'resembling', displayName: `resembling ${'a '.repeat(3_000)}` });
    await loadFleet(world.backend, [
      odd,
      ...[sampled, other].map(({ id }) => aDevice({ id, orgId, hostname: 'resembling' })),
    ]);
    const reader = openScopedReader({
      connection: world.connection('reader', WORD_SIMILARITY),
      poolSize: 1,
      timeoutMs: LONG_MS,
    });
    readers.push(reader);
    const rowsOf = async (compared: 'all' | 'sampled') => {
      const statement = ScopedStatement.similar(orgScope(orgId), ['devices'], 'resmbling', 10, compared);
      const rows = await reader.read<{ id: string }>(statement, { onBehalfOf: 'somebody' });
      return rows.map(({ id }) => id).toSorted();
    };
    expect(await rowsOf('all')).toStrictEqual([sampled.id, other.id, odd.id].toSorted());
    expect(await rowsOf('sampled')).toStrictEqual([sampled.id, odd.id].toSorted());
    // No time is left for all of them; the connection serves the next statement all the same.
    const found = await idsFor(makeSearcher(reader, 0), 'resmbling', {
      scope: orgScope(orgId),
      orSimilar: true,
    });
    expect(found).toStrictEqual(expect.arrayContaining([sampled.id, odd.id]));
  });

  test('is found by one plan, whatever the text', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
      poolSize: 1,
      timeoutMs: LONG_MS,
    });
    readers.push(reader);
    const searcher = makeSearcher(reader, 60_000, SEARCH_BOUNDS);
    await idsFor(searcher, 'a');
    const before = await backendsOf(world, 'reader');
    for (let i = 0; i < 400; i++) await idsFor(searcher, `text ${i}`);
    // A connection is replaced when it has too many statements planned.
    expect(await backendsOf(world, 'reader')).toStrictEqual(before);
  });
});
