/** Hot reads that take too long, are given up or lose their connection, and the pool afterwards. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Client, type QueryConfig } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { DatabaseBusyError, isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { makeDeviceMatcher } from '#adapters/postgres/reads/filters/device-matcher.ts';
import { makePatternChecker } from '#adapters/postgres/reads/filters/pattern-checker.ts';
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import {
  backendsOf,
  CHEAP,
  loadSlowFleet,
  previewTotal,
  requestFor,
  SLOW,
  SLOW_FLEET_SIZE,
  SLOW_PATTERN,
  SLOW_TO_COMPILE,
  terminate,
  untilBusy,
} from '#test/adapters/postgres/reads/slow-fleet.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { alterHostnames } from './alter-hostnames.ts';

/** Longer than any test waits for something else, in milliseconds. */
const LONG_MS = 60_000;
const SHORT_MS = 300;

/** Reads titles, devices and nothing else: several statements in one snapshot. */
const WITH_SOFTWARE = and(
  { field: 'software.installed', operator: 'notContains', value: 'zoom' },
  { field: 'hostname', operator: 'isNotNull' },
);

let world: PostgresWorld;
let readers: ScopedReader[] = [];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  await loadSlowFleet(world);
});

afterEach(async () => {
  const open = readers;
  readers = [];
  await Promise.all(open.map((reader) => reader.close()));
  await until(async () => (await backendsOf(world, 'reader')).length === 0);
});

afterAll(() => world.close());

/** A reader of the test's own. `serverMs` is PostgreSQL's limit. */
function openReader({ poolSize = 1, timeoutMs = LONG_MS, serverMs = LONG_MS, maxWaitMs = LONG_MS } = {}) {
  const reader = openScopedReader({
    connection: world.connection('reader', { statement_timeout: String(serverMs) }),
    poolSize,
    timeoutMs,
    maxWaitMs,
  });
  readers.push(reader);
  return { reader, matcher: makeDeviceMatcher(reader, { plansWindows: true }) };
}

function statementFor(group: RawGroup, limit = 1): ScopedStatement {
  const filter = filterToSql(simplifyConditions(parseFilter(group)), { at: 0, titleIds: NO_TITLES });
  return ScopedStatement.preview(SYSTEM_SCOPE, filter, limit, 'split');
}

describe('the time limit', () => {
  test("ends a read when the service's time is up, and its connection is used again", async () => {
    const { matcher } = openReader({ timeoutMs: SHORT_MS });
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    const before = await backendsOf(world, 'reader', 'idle');
    expect(await previewTotal(matcher, SLOW)).toBe('timeout');
    await until(async () => (await backendsOf(world, 'reader', 'active')).length === 0);
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    expect(await backendsOf(world, 'reader', 'idle')).toStrictEqual(expect.arrayContaining(before));
  });

  test("ends a read when PostgreSQL's time is up, and its connection is used again", async () => {
    const { matcher } = openReader({ serverMs: SHORT_MS });
    expect(await previewTotal(matcher, SLOW)).toBe('timeout');
    const before = await backendsOf(world, 'reader');
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    expect(await backendsOf(world, 'reader')).toStrictEqual(before);
  });

  test('starts with the turn: the wait for it does not count', async () => {
    const { matcher } = openReader({ timeoutMs: SHORT_MS });
    const all = [SLOW, SLOW, CHEAP].map((group) => previewTotal(matcher, group));
    expect(await Promise.all(all)).toStrictEqual(['timeout', 'timeout', SLOW_FLEET_SIZE]);
  });

  test('covers all statements of a snapshot from a given start', async () => {
    const { reader } = openReader({ timeoutMs: SHORT_MS });
    const startedAt = performance.now() - 2 * SHORT_MS;
    const read = reader.inSnapshot({ onBehalfOf: 'a', startedAt }, async (session) =>
      session.query(statementFor(CHEAP)),
    );
    await expect(read).rejects.toStrictEqual(new ReadRefused({ kind: 'timeout' }));
    expect(await reader.read(statementFor(CHEAP), { onBehalfOf: 'a' })).toHaveLength(1);
  });

  test('ends a snapshot, which is rolled back before anybody else gets its connection', async () => {
    const { reader, matcher } = openReader({ timeoutMs: SHORT_MS });
    const read = reader.inSnapshot({ onBehalfOf: 'a' }, async (session) => session.query(statementFor(SLOW)));
    await expect(read).rejects.toStrictEqual(new ReadRefused({ kind: 'timeout' }));
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    expect(await previewTotal(matcher, WITH_SOFTWARE)).toBe(SLOW_FLEET_SIZE);
    expect(await backendsOf(world, 'reader', 'idle in transaction')).toStrictEqual([]);
  });

  test('applies only to the role of the reader', async () => {
    openReader({ serverMs: SHORT_MS });
    expect(await world.query('app', 'show statement_timeout')).toStrictEqual([{ statement_timeout: '0' }]);
    expect(await world.query('owner', 'show statement_timeout')).toStrictEqual([{ statement_timeout: '0' }]);
  });
});

describe('a caller who gives up', () => {
  test('ends the statement in the database', async () => {
    const { matcher } = openReader();
    const controller = new AbortController();
    const looking = previewTotal(matcher, SLOW, { signal: controller.signal });
    await untilBusy(world, 'reader', 1);
    controller.abort();
    expect(await looking).toBe('cancelled');
    await untilBusy(world, 'reader', 0);
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });

  test('stops waiting for a connection', async () => {
    const { matcher } = openReader();
    const [first, second] = [new AbortController(), new AbortController()];
    const inside = previewTotal(matcher, SLOW, { signal: first.signal });
    await untilBusy(world, 'reader', 1);
    const waiting = previewTotal(matcher, CHEAP, { signal: second.signal });
    second.abort();
    expect(await waiting).toBe('cancelled');
    first.abort();
    expect(await inside).toBe('cancelled');
  });

  test('leaves no transaction behind, however early in a snapshot', async () => {
    const { matcher } = openReader();
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    for (let steps = 0; steps < 12; steps++) {
      const controller = new AbortController();
      const looking = previewTotal(matcher, WITH_SOFTWARE, { signal: controller.signal });
      for (let i = 0; i < steps; i++) await Promise.resolve();
      controller.abort();
      expect(await looking).toBe('cancelled');
      expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
      expect(await backendsOf(world, 'reader', 'idle in transaction')).toStrictEqual([]);
    }
  });

  test('gives back the connection of a stream of ids', async () => {
    const { matcher } = openReader();
    for await (const ids of matcher.streamIds(requestFor(CHEAP))) {
      expect(ids.length).toBeLessThan(SLOW_FLEET_SIZE);
      break;
    }
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    expect(await backendsOf(world, 'reader', 'idle in transaction')).toStrictEqual([]);
  });

  test('gives back the connection of a stream of ids without asking for more', async () => {
    const { matcher } = openReader();
    const controller = new AbortController();
    const { signal } = controller;
    const stream = matcher.streamIds(requestFor(CHEAP, { signal }))[Symbol.asyncIterator]();
    await stream.next();
    // The first ids come a moment before the connection is idle in its transaction.
    await until(async () => (await backendsOf(world, 'reader', 'idle in transaction')).length === 1);
    controller.abort();
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    await expect(stream.next()).rejects.toStrictEqual(new MatchStreamError({ kind: 'cancelled' }));
  });

  test.each([
    ['one statement', CHEAP],
    ['a snapshot', WITH_SOFTWARE],
  ])('never cancels the statement of the next caller, 200 times over (%s)', async (_what, group) => {
    const { matcher } = openReader();
    const answers = new Set<number | string>();
    for (let i = 0; i < 200; i++) {
      const controller = new AbortController();
      const looking = previewTotal(matcher, group, { signal: controller.signal });
      if (i % 10 === 0) await setImmediate();
      else await setTimeout(i % 10);
      controller.abort();
      const next = previewTotal(matcher, group);
      expect([SLOW_FLEET_SIZE, 'cancelled']).toContain(await looking);
      answers.add(await next);
    }
    expect([...answers]).toStrictEqual([SLOW_FLEET_SIZE]);
  });
});

describe('a connection that is killed', () => {
  test('between two reads is replaced', async () => {
    const { matcher } = openReader();
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
    await terminate(world, await backendsOf(world, 'reader'));
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });

  test('during a read makes it unavailable, twenty times over, and costs no place in the pool', async () => {
    const { matcher } = openReader({ poolSize: 2 });
    for (let i = 0; i < 20; i++) {
      // A caller may have half of the pool, so this is one of the two.
      const looking = previewTotal(matcher, SLOW).catch(isDatabaseUnavailable);
      await untilBusy(world, 'reader', 1);
      await terminate(world, await backendsOf(world, 'reader', 'active'));
      expect(await looking).toBe(true);
    }
    const controller = new AbortController();
    const { signal } = controller;
    const both = ['a', 'b'].map((onBehalfOf) => previewTotal(matcher, SLOW, { onBehalfOf, signal }));
    await untilBusy(world, 'reader', 2);
    controller.abort();
    expect(await Promise.all(both)).toStrictEqual(['cancelled', 'cancelled']);
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });

  test('during a snapshot makes it unavailable, and costs no place in the pool', async () => {
    const { reader, matcher } = openReader();
    for (let i = 0; i < 5; i++) {
      const read = reader.inSnapshot({ onBehalfOf: 'a' }, async (session) => {
        await session.query(statementFor(CHEAP));
        await terminate(world, await backendsOf(world, 'reader', 'idle in transaction'));
        return session.query(statementFor(CHEAP));
      });
      expect(await read.catch(isDatabaseUnavailable)).toBe(true);
    }
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });

  test('while its statement is being cancelled costs no place in the pool', async () => {
    const { matcher } = openReader();
    const controller = new AbortController();
    const looking = previewTotal(matcher, SLOW, { signal: controller.signal });
    await untilBusy(world, 'reader', 1);
    const pids = await backendsOf(world, 'reader', 'active');
    controller.abort();
    await Promise.all([looking, terminate(world, pids)]);
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });
});

describe('a repeated statement', () => {
  const again = { onBehalfOf: 'a', isNamed: true };

  test('is run by its name, and finds the same rows', async () => {
    const { reader } = openReader();
    const query = vi.spyOn(Client.prototype, 'query');
    const rows = await reader.read(statementFor(CHEAP, 3), again);
    expect(rows).toHaveLength(3);
    const other = await reader.read(statementFor(CHEAP, 2), again);
    expect(await reader.read(statementFor(CHEAP, 3), again)).toStrictEqual(rows);
    expect(await reader.read(statementFor(CHEAP, 2), again)).toStrictEqual(other);
    const names = query.mock.calls.flatMap(([sent]) => (sent as unknown as QueryConfig).name ?? []);
    query.mockRestore();
    expect(names).toStrictEqual(['fs_0', 'fs_1', 'fs_0', 'fs_1']);
  });

  test('gives its rows as texts, both the first time and by its name', async () => {
    const { reader } = openReader();
    const asTexts = { ...again, asTexts: true };
    const [first] = await reader.read<readonly unknown[]>(statementFor(CHEAP), asTexts);
    expect(first?.[0]).toBe(String(SLOW_FLEET_SIZE));
    expect(first).toHaveLength(7);
    for (let i = 0; i < 3; i++)
      expect(await reader.read(statementFor(CHEAP), asTexts)).toStrictEqual([first]);
    expect(await reader.read(statementFor(CHEAP, 2), asTexts)).toHaveLength(2);
    expect(await reader.read(statementFor(CHEAP), asTexts)).toStrictEqual([first]);
  });

  test('sends its values, whatever they contain', async () => {
    const { reader } = openReader();
    const asTexts = { ...again, asTexts: true };
    const find = (text: string) =>
      reader.read<readonly unknown[]>(
        ScopedStatement.search(SYSTEM_SCOPE, ['devices'], searchTerms(text), 3),
        asTexts,
      );
    const first = await find('aaa');
    expect(first).toHaveLength(3);
    for (const text of ['€ 😀 \\', `'"$1\t`, 'x'.repeat(100_000)]) expect(await find(text)).toStrictEqual([]);
    expect(await find('aaa')).toStrictEqual(first);
  });

  test('can be cancelled when run by its name, and its connection serves the next one', async () => {
    const { reader } = openReader({ poolSize: 2 });
    const asTexts = { ...again, asTexts: true };
    const slow = statementFor(SLOW);
    const runUntilStopped = async (signal: AbortSignal) => {
      await expect(reader.read(slow, { ...asTexts, signal })).rejects.toStrictEqual(
        new ReadRefused({ kind: 'cancelled' }),
      );
    };
    for (let i = 0; i < 3; i++) await runUntilStopped(AbortSignal.timeout(SHORT_MS));
    expect(await reader.read(statementFor(CHEAP), asTexts)).toHaveLength(1);
  });

  test('is prepared the next time if it was cancelled the first time', async () => {
    const { reader } = openReader();
    const controller = new AbortController();
    const given = reader.read(statementFor(SLOW), { ...again, signal: controller.signal });
    await untilBusy(world, 'reader', 1);
    controller.abort();
    await expect(given).rejects.toStrictEqual(new ReadRefused({ kind: 'cancelled' }));
    const hurried = reader.read(statementFor(SLOW), { ...again, signal: AbortSignal.timeout(SHORT_MS) });
    await expect(hurried).rejects.toStrictEqual(new ReadRefused({ kind: 'cancelled' }));
    expect(await reader.read(statementFor(CHEAP), again)).toHaveLength(1);
  });

  test('fails once after a table was altered, and is then prepared anew', async () => {
    const { reader } = openReader();
    const before = await reader.read(statementFor(CHEAP), again);
    await reader.read(statementFor(CHEAP), again);
    await alterHostnames(world, 'varchar');
    await expect(reader.read(statementFor(CHEAP), again)).rejects.toMatchObject({ code: '0A000' });
    expect(await reader.read(statementFor(CHEAP), again)).toStrictEqual(before);
    await alterHostnames(world, 'text');
  });

  test('fails once and is prepared anew with rows as texts, too', async () => {
    const { reader } = openReader();
    const asTexts = { ...again, asTexts: true };
    const before = await reader.read(statementFor(CHEAP), asTexts);
    await reader.read(statementFor(CHEAP), asTexts);
    await alterHostnames(world, 'varchar');
    await expect(reader.read(statementFor(CHEAP), asTexts)).rejects.toMatchObject({ code: '0A000' });
    expect(await reader.read(statementFor(CHEAP), asTexts)).toStrictEqual(before);
    await alterHostnames(world, 'text');
  });

  test('is forgotten with its connection when the connection has too many statements', async () => {
    const { reader } = openReader();
    const name = (i: number) => and({ field: 'hostname', operator: 'equals', value: `host ${i}` });
    await reader.read(statementFor(name(0)), { onBehalfOf: 'a', isNamed: true });
    const before = await backendsOf(world, 'reader');
    for (let i = 1; i < 300; i++)
      await reader.read(statementFor(name(i)), { onBehalfOf: 'a', isNamed: true });
    expect(await backendsOf(world, 'reader')).toStrictEqual(before);
    await reader.read(statementFor(name(300)), { onBehalfOf: 'a', isNamed: true });
    await reader.read(statementFor(name(0)), { onBehalfOf: 'a', isNamed: true });
    await until(async () => (await backendsOf(world, 'reader')).length === 1);
    expect(await backendsOf(world, 'reader')).not.toStrictEqual(before);
  });
});

describe('one caller with fifty hostile regular expressions', () => {
  test("does not hold up another caller's previews, checks and filters", async () => {
    const { reader, matcher } = openReader({
      poolSize: 4,
      timeoutMs: 5_000,
      serverMs: 5_000,
      maxWaitMs: 5_000,
    });
    const checkPatterns = makePatternChecker(reader, 5_000);
    const ended: string[] = [];
    const note = <T>(name: string, work: Promise<T>) =>
      work.finally(() => {
        ended.push(name);
      });
    const hostile = Array.from({ length: 50 }, (_, i) =>
      note(
        'hostile',
        i % 2 === 0
          ? previewTotal(matcher, SLOW, { onBehalfOf: 'mallory' }).catch((error: unknown) => error)
          : checkPatterns([`${SLOW_TO_COMPILE}${i}`], 'mallory').catch((error: unknown) => error),
      ),
    );
    await untilBusy(world, 'reader', 2);
    const good = Array.from({ length: 30 }, async (_, i) => {
      const onBehalfOf = `alice ${i % 3}`;
      expect(await note('good', checkPatterns([`^srv-${i}$`], onBehalfOf))).toStrictEqual(new Map());
      expect(await note('good', previewTotal(matcher, CHEAP, { onBehalfOf }))).toBe(SLOW_FLEET_SIZE);
      expect(await note('good', Array.fromAsync(world.backend.filters.list(SYSTEM_SCOPE)))).toStrictEqual([]);
    });
    await Promise.all(good);
    expect(ended.filter((name) => name === 'hostile')).toStrictEqual([]);
    const answers = new Set(await Promise.all(hostile));
    for (const answer of answers) {
      if (answer instanceof Map)
        expect([...answer.values()]).toStrictEqual(['regular expression is too complex']);
      else if (answer instanceof Error) expect(answer).toBeInstanceOf(DatabaseBusyError);
      else expect(answer).toBe('timeout');
    }
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });
});

describe('the check of regular expressions', () => {
  test('refuses a pattern that cannot be compiled in time, and accepts another one afterwards', async () => {
    const { reader } = openReader();
    const hurried = makePatternChecker(reader, 1);
    expect(await hurried([SLOW_TO_COMPILE], 'a')).toStrictEqual(
      new Map([[SLOW_TO_COMPILE, 'regular expression is too complex']]),
    );
    const patient = makePatternChecker(reader, LONG_MS);
    expect(await patient([SLOW_PATTERN], 'a')).toStrictEqual(new Map());
  });

  test('finds a hostile pattern among many good ones, which are still accepted', async () => {
    const { reader } = openReader();
    const check = makePatternChecker(reader, LONG_MS);
    const good = Array.from({ length: 250 }, (_, i) => `^host-${i}$`);
    const refused = await check([...good.slice(0, 130), SLOW_TO_COMPILE, ...good.slice(130)], 'a');
    expect([...refused.keys()]).toStrictEqual([SLOW_TO_COMPILE]);
    expect(await check(good, 'a')).toStrictEqual(new Map());
  });

  test('says that the database is busy if no connection is free, and blames no pattern', async () => {
    const { reader, matcher } = openReader({ timeoutMs: SHORT_MS, maxWaitMs: SHORT_MS });
    const check = makePatternChecker(reader, SHORT_MS);
    const snapshot = Promise.withResolvers<void>();
    const holding = reader.inSnapshot({ onBehalfOf: 'b' }, () => snapshot.promise);
    await expect(check(['^new$'], 'a')).rejects.toStrictEqual(new DatabaseBusyError());
    snapshot.resolve();
    await holding;
    expect(await check(['^new$'], 'a')).toStrictEqual(new Map());
    expect(await previewTotal(matcher, CHEAP)).toBe(SLOW_FLEET_SIZE);
  });
});

describe('every connection of the service', () => {
  test.each(['app', 'reader', 'owner'] as const)(
    'in the role %s has the settings that statements rely on',
    async (role) => {
      const rows = await world.query(
        role,
        `select name, setting from pg_settings
       where name in ('jit', 'TimeZone', 'standard_conforming_strings', 'idle_in_transaction_session_timeout')
       order by lower(name)`,
      );
      expect(rows).toStrictEqual([
        { name: 'idle_in_transaction_session_timeout', setting: '60000' },
        { name: 'jit', setting: 'off' },
        { name: 'standard_conforming_strings', setting: 'on' },
        { name: 'TimeZone', setting: 'UTC' },
      ]);
    },
  );
});
