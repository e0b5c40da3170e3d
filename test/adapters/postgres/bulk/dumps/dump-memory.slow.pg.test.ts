/** A dump holds one batch of devices at a time. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { printRecord } from '#adapters/load/print-record.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant } from '#test/support/tenant.ts';

const DEVICES = 8_000;

/** Text of each device, in bytes. */
const TEXT_BYTES = 8_000;

/** In records. */
const BETWEEN_LOOKS = 2_000;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const { orgId } = await createTenant(world.backend);
  await world.connected('owner', async (client) => {
    await client.query('begin');
    await client.query(`set local app.scope = 'system'`);
    // No two devices share a text, so nothing is stored once for several.
    await client.query(
      `insert into device (id, org_id, status, device_role, hostname, hostname_lc, custom)
       select gen_random_uuid(), $1, 'online', 'unknown', 'host-' || n, 'host-' || n,
         jsonb_build_object('notes', n || repeat(md5(n::text), $3::int / 32))
       from generate_series(1, $2::int) n`,
      [orgId, DEVICES, TEXT_BYTES],
    );
    await client.query('commit');
  });
});

afterAll(() => world.close());

/** Heap in use after a garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a dump of eight thousand devices takes no more memory than the first thousand', async () => {
  const used: number[] = [];
  let count = 0;
  let bytes = 0;
  const reading = { withCredentials: true, partnerId: null };
  for await (const records of world.backend.databaseTools.readFleet(reading)) {
    for (const record of records) bytes += printRecord(record).length;
    const before = count;
    count += records.length;
    if (before < 1_000 && count >= 1_000) used.push(usedBytes());
    if (Math.floor(before / BETWEEN_LOOKS) < Math.floor(count / BETWEEN_LOOKS)) used.push(usedBytes());
  }
  expect(count).toBeGreaterThan(DEVICES);
  expect(bytes).toBeGreaterThan(DEVICES * TEXT_BYTES);
  expect(used).toHaveLength(1 + DEVICES / BETWEEN_LOOKS);
  // All texts are 64 MB, and a batch is 4 MB. Other users of this process vary by about 20 MB.
  expect(Math.max(...used) - (used[0] ?? 0)).toBeLessThan(40 * 2 ** 20);
});
