/** A dump holds a batch of devices at a time, however many there are. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { printRecord } from '#adapters/load/print-record.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant } from '#test/support/tenant.ts';

const DEVICES = 8_000;

/** What each device has of text, in bytes. */
const TEXT_BYTES = 8_000;

/** How often it is looked: in records. */
const BETWEEN_LOOKS = 2_000;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const { orgId } = await createTenant(world.backend);
  await world.connected('owner', async (client) => {
    await client.query('begin');
    await client.query(`set local app.scope = 'system'`);
    // Texts that no two devices share, so that nothing of them is kept in one place.
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

/** What is still in use after a collection: without one, the heap holds garbage of any size. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('eight thousand devices take no more memory than the first thousand', async () => {
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
  // The texts alone are 64 MB, and a batch of them four. What others in this process leave or let go of is some 20.
  expect(Math.max(...used) - (used[0] ?? 0)).toBeLessThan(40 * 2 ** 20);
});
