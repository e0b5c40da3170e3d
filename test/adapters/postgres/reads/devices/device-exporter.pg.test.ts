/** What an export occupies in the database, and for how long. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeDeviceExporter } from '#adapters/postgres/reads/devices/device-exporter.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { DeviceExporter, ExportRequest } from '#application/ports/fleet/device-exporter.ts';
import { parseExportFields } from '#domain/export/parse-export-fields.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import {
  backendsOf,
  CHEAP,
  loadSlowFleet,
  requestFor,
  SLOW,
  SLOW_FLEET_SIZE,
  SLOW_PATTERN,
  terminate,
  untilBusy,
} from '#test/adapters/postgres/reads/slow-fleet.ts';
import { aDevice } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, or } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Longer than any test waits for something else, in milliseconds. */
const LONG_MS = 60_000;
const SHORT_MS = 300;

/**
 * The first device by name is found at once, the others never. Many devices could be offline: a filter that looks as if
 * few matched is evaluated as a whole before the first row. Only the addresses are slow.
 */
const SLOW_AFTER_FIRST = or(
  { field: 'status', operator: 'equals', value: 'offline' },
  { field: 'network.ipAddress', operator: 'matches', value: SLOW_PATTERN },
);

const TIMEOUT = new MatchStreamError({ kind: 'timeout' });
const CANCELLED = new MatchStreamError({ kind: 'cancelled' });

let world: PostgresWorld;
let first: DeviceRecord;
let readers: ScopedReader[] = [];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  await loadSlowFleet(world);
  const { orgId } = await createTenant(world.backend);
  first = aDevice({ orgId, hostname: 'a', status: 'offline' });
  const slow = Array.from({ length: 300 }, () =>
    aDevice({
      orgId,
      status: 'pending',
      network: [{ ipAddress: 'a'.repeat(100), publicIp: null, macAddress: null }],
    }),
  );
  await loadFleet(world.backend, [first, ...slow]);
});

afterEach(async () => {
  const open = readers;
  readers = [];
  await Promise.all(open.map((reader) => reader.close()));
  await until(async () => (await backendsOf(world, 'reader')).length === 0);
});

afterAll(() => world.close());

/** An exporter on one new connection. */
function openExporter({ firstRowMs = LONG_MS, batchMs = LONG_MS } = {}): DeviceExporter {
  return makeDeviceExporter(openReader(batchMs), firstRowMs);
}

function openReader(timeoutMs: number): ScopedReader {
  const reader = openScopedReader({
    connection: world.connection('reader', {
      statement_timeout: String(LONG_MS),
      // PostgreSQL would sort so small a fleet. It reads a large one in index order, and finds the first row early.
      enable_sort: 'off',
    }),
    poolSize: 1,
    timeoutMs,
    maxWaitMs: LONG_MS,
  });
  readers.push(reader);
  return reader;
}

function exportOf(group: unknown, signal?: AbortSignal): ExportRequest {
  const columns = parseExportFields(['id'], CORE_CATALOG);
  if (!columns.ok) throw new Error('the fields were refused');
  return { ...requestFor(group, signal === undefined ? {} : { signal }), columns: columns.value };
}

async function countRows(exporter: DeviceExporter, group: unknown): Promise<number> {
  let count = 0;
  for await (const batch of exporter(exportOf(group))) count += batch.length;
  return count;
}

/** Nothing is open, and the one connection serves the next export. */
async function expectFree(exporter: DeviceExporter): Promise<void> {
  expect(await countRows(exporter, CHEAP)).toBe(SLOW_FLEET_SIZE);
  expect(await backendsOf(world, 'reader', 'idle in transaction')).toStrictEqual([]);
  expect(await backendsOf(world, 'reader', 'active')).toStrictEqual([]);
}

describe('the turns of an export among evaluations', () => {
  test('are taken for the first row and for each batch, one after the other', async () => {
    let turns = 0;
    let running = 0;
    let most = 0;
    const request = {
      ...exportOf(CHEAP),
      asEvaluation: async <T>(work: () => Promise<T>) => {
        turns += 1;
        most = Math.max(most, ++running);
        return work().finally(() => running--);
      },
    };
    let rows = 0;
    for await (const batch of openExporter()(request)) rows += batch.length;
    expect(rows).toBe(SLOW_FLEET_SIZE);
    // A row, three batches of at most a thousand, and the end.
    expect({ turns, most, running }).toStrictEqual({ turns: 5, most: 1, running: 0 });
  });

  test('are not used if they come after the export was left', async () => {
    const exporter = openExporter();
    const late = Promise.withResolvers<void>();
    let asked = 0;
    const outcomes: unknown[] = [];
    const request = {
      ...exportOf(CHEAP),
      asEvaluation: async <T>(work: () => Promise<T>) => {
        // The third is for the batch that is fetched while the one before is not taken yet.
        if (++asked === 3) await late.promise;
        return work().finally(() => outcomes.push('over'));
      },
    };
    for await (const batch of exporter(request)) {
      expect(batch).toHaveLength(1);
      await until(async () => asked === 3);
      break;
    }
    expect(outcomes).toHaveLength(2);
    await expectFree(exporter);
    late.resolve();
    await until(async () => outcomes.length === 3);
    await expectFree(exporter);
  });
});

describe('the time limit of an export', () => {
  test('applies to the first row', async () => {
    const exporter = openExporter({ firstRowMs: SHORT_MS });
    await expect(countRows(exporter, SLOW)).rejects.toStrictEqual(TIMEOUT);
    await expectFree(exporter);
  });

  test('ends with the first row, however long the others take', async () => {
    const reader = openReader(LONG_MS);
    // Compiling the expression takes longer than the limit; the connection remembers it.
    const compiled = and(SLOW_AFTER_FIRST, { field: 'status', operator: 'equals', value: 'updating' });
    expect(await countRows(makeDeviceExporter(reader, LONG_MS), compiled)).toBe(0);
    const exporter = makeDeviceExporter(reader, SHORT_MS);
    const controller = new AbortController();
    const stream = exporter(exportOf(SLOW_AFTER_FIRST, controller.signal))[Symbol.asyncIterator]();
    expect((await stream.next()).value).toStrictEqual([[first.id]]);
    const next = stream.next();
    const outcome = await Promise.race([
      next.then(
        () => 'a batch',
        () => 'an end',
      ),
      new Promise((resolve) => setTimeout(resolve, 3 * SHORT_MS, 'still at work')),
    ]);
    expect(outcome).toBe('still at work');
    controller.abort();
    await expect(next).rejects.toStrictEqual(CANCELLED);
    await expectFree(exporter);
  });

  test('for each batch is that of the reader', async () => {
    const exporter = openExporter({ batchMs: SHORT_MS });
    await expect(countRows(exporter, SLOW_AFTER_FIRST)).rejects.toStrictEqual(TIMEOUT);
    await expectFree(exporter);
  });
});

describe('an export that nobody waits for', () => {
  test('ends its statement in the database', async () => {
    const exporter = openExporter();
    const controller = new AbortController();
    const stream = exporter(exportOf(SLOW, controller.signal))[Symbol.asyncIterator]();
    const looking = stream.next();
    await untilBusy(world, 'reader', 1);
    controller.abort();
    await expect(looking).rejects.toStrictEqual(CANCELLED);
    await expectFree(exporter);
  });

  test('gives its connection back when it is left', async () => {
    const exporter = openExporter();
    for await (const _ of exporter(exportOf(CHEAP))) break;
    await expectFree(exporter);
  });

  test('gives its connection back without being asked for more', async () => {
    const exporter = openExporter();
    const controller = new AbortController();
    const stream = exporter(exportOf(CHEAP, controller.signal))[Symbol.asyncIterator]();
    await stream.next();
    expect(await backendsOf(world, 'reader', 'idle in transaction')).toHaveLength(1);
    controller.abort();
    await expectFree(exporter);
    await expect(stream.next()).rejects.toStrictEqual(CANCELLED);
  });
});

test('an export whose connection breaks fails, and the next export gets another connection', async () => {
  const exporter = openExporter();
  const stream = exporter(exportOf(CHEAP))[Symbol.asyncIterator]();
  await stream.next();
  await terminate(world, await backendsOf(world, 'reader'));
  const rest = async () => {
    while (!(await stream.next()).done);
  };
  await expect(rest()).rejects.toThrow(/connection/i);
  expect(await countRows(exporter, and({ field: 'status', operator: 'equals', value: 'online' }))).toBe(
    SLOW_FLEET_SIZE,
  );
});
