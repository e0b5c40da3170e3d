/** Reads that share a batch, and what happens to the others if one is given up or fails. */
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { Pace } from '#adapters/postgres/reads/running/quick-reads.ts';
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { TextRows } from '#adapters/postgres/reads/running/text-rows.ts';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { backendsOf, terminate, untilBusy } from '#test/adapters/postgres/reads/slow-fleet.ts';
import { aDevice, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { alterHostnames } from './alter-hostnames.ts';

/** Longer than any test waits for something else, in milliseconds. */
const LONG_MS = 60_000;

const HOSTS = ['alpha', 'beta', 'gamma'] as const;

let world: PostgresWorld;
let reader: ScopedReader;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const { orgId } = await createTenant(world.backend);
  await loadFleet(
    world.backend,
    HOSTS.map((hostname) => aDevice({ orgId, hostname })),
  );
});

afterEach(async () => {
  vi.restoreAllMocks();
  await reader.close();
});

afterAll(() => world.close());

/** A reader for one test. With a pool of one connection, every statement is prepared there. */
function open({ timeoutMs = LONG_MS, poolSize = 8 } = {}) {
  reader = openScopedReader({
    connection: world.connection('reader', { statement_timeout: String(LONG_MS) }),
    poolSize,
    timeoutMs,
  });
}

type Answer = readonly (readonly unknown[])[];

interface Quick {
  readonly host: string;
  /** Reads with their own object, by which they are recognized. */
  readonly ask: (given?: { readonly signal?: AbortSignal }) => Promise<Answer>;
  /** How often the turn has been ended. */
  readonly ends: () => number;
}

function quickRead(host: string, onBehalfOf = 'somebody'): Quick {
  const group = parseFilter(and({ field: 'hostname', operator: 'equals', value: host }));
  const filter = filterToSql(simplifyConditions(group), { at: 0, titleIds: NO_TITLES });
  const statement = ScopedStatement.preview(SYSTEM_SCOPE, filter, 1, 'split');
  const endTurn = vi.fn();
  const maybeQuick = { tenant: 'tenant', pace: new Pace(), endTurn };
  return {
    host,
    ask: (given = {}) =>
      reader.read(statement, {
        ...{ onBehalfOf, isNamed: true, asTexts: true, maybeQuick },
        ...given,
      }),
    ends: () => endTurn.mock.calls.length,
  };
}

/** Reads that are known to be quick, and prepared on the connection that the next one gets. */
async function knownReads(): Promise<readonly Quick[]> {
  const reads = HOSTS.map((host) => quickRead(host));
  for (const read of reads) {
    // Until it was quick a few times, even on a busy machine.
    while (read.ends() < 5) await read.ask();
  }
  return reads;
}

const hostsOf = (answers: readonly Answer[]) => answers.map((rows) => rows.map((row) => row[2]));

/** Counts messages of several statements from now on. */
function countBatches(): () => number {
  const query = vi.spyOn(Client.prototype, 'query');
  return () =>
    query.mock.calls.filter(([asked]) => {
      const sent = asked as unknown;
      return sent instanceof TextRows && sent.text.includes(';\n');
    }).length;
}

/** While nobody can read a device. */
async function whileLocked<T>(work: (unlock: () => Promise<unknown>) => Promise<T>): Promise<T> {
  return world.connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('lock table device in access exclusive mode');
    return work(() => owner.query('rollback'));
  });
}

describe('reads that are known to be quick', () => {
  test('share a batch, get their own answers, and end their turns', async () => {
    open({ poolSize: 1 });
    const reads = await knownReads();
    const ends = reads.map((read) => read.ends());
    const batches = countBatches();
    for (let i = 0; i < 5; i++) {
      expect(hostsOf(await Promise.all(reads.map((read) => read.ask())))).toStrictEqual([
        ['alpha'],
        ['beta'],
        ['gamma'],
      ]);
    }
    expect(batches()).toBe(5);
    expect(reads.map((read) => read.ends())).toStrictEqual(ends.map((before) => before + 5));
  });

  test('are sent alone if the caller does not say how they may share a batch', async () => {
    open();
    const [read] = await knownReads();
    const batches = countBatches();
    const group = parseFilter(and({ field: 'hostname', operator: 'equals', value: 'beta' }));
    const filter = filterToSql(simplifyConditions(group), { at: 0, titleIds: NO_TITLES });
    const statement = ScopedStatement.preview(SYSTEM_SCOPE, filter, 1, 'split');
    const alone = () => reader.read(statement, { onBehalfOf: 'somebody', isNamed: true, asTexts: true });
    for (let i = 0; i < 3; i++) await Promise.all([alone(), alone(), read?.ask()]);
    expect(batches()).toBe(0);
  });

  test('are first prepared on a connection that has not seen them', async () => {
    open({ poolSize: 1 });
    const reads = await knownReads();
    const other = quickRead('nobody');
    while (other.ends() < 5) await other.ask();
    await terminate(world, await backendsOf(world, 'reader'));
    const batches = countBatches();
    const all = () => Promise.all([...reads, other].map((read) => read.ask()));
    expect(hostsOf(await all())).toStrictEqual([['alpha'], ['beta'], ['gamma'], [null]]);
    expect(batches()).toBe(0);
    expect(hostsOf(await all())).toStrictEqual([['alpha'], ['beta'], ['gamma'], [null]]);
    expect(batches()).toBe(1);
  });

  test('end at most as many turns as reads may wait without one', async () => {
    open();
    const [read] = await knownReads();
    const before = read?.ends() ?? 0;
    const answers = await Promise.all(Array.from({ length: 40 }, () => read?.ask() ?? []));
    expect(hostsOf(answers)).toStrictEqual(Array.from({ length: 40 }, () => ['alpha']));
    expect((read?.ends() ?? 0) - before).toBe(12);
  });
});

describe('a batch whose reads are no longer quick', () => {
  test('is given up, and each read is sent again alone', async () => {
    open();
    const reads = await knownReads();
    const answers = await whileLocked(async (unlock) => {
      const asked = Promise.all(reads.map((read) => read.ask()));
      await untilBusy(world, 'reader', 3);
      await unlock();
      return asked;
    });
    expect(hostsOf(answers)).toStrictEqual([['alpha'], ['beta'], ['gamma']]);
  });

  test('releases a caller who leaves, and answers the others', async () => {
    open();
    const [first, second, third] = await knownReads();
    const controller = new AbortController();
    await whileLocked(async (unlock) => {
      const others = Promise.all([first?.ask() ?? [], third?.ask() ?? []]);
      const gone = second?.ask({ signal: controller.signal });
      // One batch is active, or each read alone if the batch took long.
      await until(async () => (await backendsOf(world, 'reader', 'active')).length > 0);
      controller.abort();
      await expect(gone).rejects.toStrictEqual(new ReadRefused({ kind: 'cancelled' }));
      await untilBusy(world, 'reader', 2);
      await unlock();
      expect(hostsOf(await others)).toStrictEqual([['alpha'], ['gamma']]);
    });
  });

  test('ends at the time limit of its reads, and its connection is used again', async () => {
    open({ timeoutMs: 300 });
    const reads = await knownReads();
    await whileLocked(async (unlock) => {
      const asked = await Promise.allSettled(reads.map((read) => read.ask()));
      expect(asked).toStrictEqual(
        reads.map(() => ({ status: 'rejected', reason: new ReadRefused({ kind: 'timeout' }) })),
      );
      await unlock();
    });
    expect(hostsOf(await Promise.all(reads.map((read) => read.ask())))).toStrictEqual([
      ['alpha'],
      ['beta'],
      ['gamma'],
    ]);
  });
});

describe('a batch that fails', () => {
  test('is sent again one by one if a statement fails', async () => {
    open({ poolSize: 1 });
    const reads = await knownReads();
    const batches = countBatches();
    await alterHostnames(world, 'varchar');
    try {
      expect(hostsOf(await Promise.all(reads.map((read) => read.ask())))).toStrictEqual([
        ['alpha'],
        ['beta'],
        ['gamma'],
      ]);
      expect(batches()).toBe(1);
    } finally {
      await alterHostnames(world, 'text');
    }
  });

  test('is unavailable if its connection is killed', async () => {
    open();
    const reads = await knownReads();
    await whileLocked(async (unlock) => {
      let isOver = false;
      const asked = Promise.all(reads.map((read) => read.ask().catch(isDatabaseUnavailable))).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await terminate(world, await backendsOf(world, 'reader', 'active'));
        await setTimeout(1);
      }
      expect(await asked).toStrictEqual([true, true, true]);
      await unlock();
    });
    expect(hostsOf([(await reads[0]?.ask()) ?? []])).toStrictEqual([['alpha']]);
  });
});

test('no caller gets the answer of another one, however early that one leaves', async () => {
  open();
  const reads = await knownReads();
  for (let i = 0; i < 100; i++) {
    const controller = new AbortController();
    const leaving = reads[i % 3]?.ask({ signal: controller.signal }).catch((error) => error);
    const staying = Promise.all(reads.map((read) => read.ask()));
    for (let steps = 0; steps < i % 10; steps++) await Promise.resolve();
    if (i % 10 === 9) await setTimeout(1);
    controller.abort();
    expect(hostsOf(await staying)).toStrictEqual([['alpha'], ['beta'], ['gamma']]);
    await leaving;
  }
});
