/** One service per database: the second finds out, also after crashes and restarts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#adapters/embedded-postgres/embedded-postgres.ts';
import { acquireServiceLock, type ServiceLock } from '#adapters/embedded-postgres/locks/service-locks.ts';
import { query, serverPid } from './running-server.ts';

const LOCK_HOLDERS = `
  select pid from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted`;

let dataDir: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await mkdtemp(`${tmpdir()}/fleetsift-test-`);
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('is held by one at a time', async () => {
  const first = await take();
  expect(await acquireServiceLock(server.url)).toStrictEqual({ ok: false, error: 'held' });
  await first.release();
  await take();
});

test('is given back twice as it is once', async () => {
  const lock = await take();
  await Promise.all([lock.release(), lock.release()]);
  expect(await query(server.url, LOCK_HOLDERS)).toStrictEqual([]);
});

test('is free again as soon as the session that held it is gone, to a start that comes right then', async () => {
  const client = await take();
  const next = acquireServiceLock(server.url);
  await client.release();
  const lock = await next;
  expect(lock.ok).toBe(true);
  if (lock.ok) {
    await lock.value.release();
  }
});

test('is taken again when the server comes back from a crash', async () => {
  await take();
  process.kill(await serverPid(dataDir), 'SIGKILL');
  await vi.waitFor(async () => expect(await query(server.url, LOCK_HOLDERS)).toHaveLength(1), 20_000);
  expect(await acquireServiceLock(server.url)).toStrictEqual({ ok: false, error: 'held' });
});

test('rejects where there is no server to ask', async () => {
  const url = new URL(server.url);
  url.port = '9';
  await expect(acquireServiceLock(url.href)).rejects.toThrow('ECONNREFUSED');
});

async function take(): Promise<ServiceLock> {
  const taken = await acquireServiceLock(server.url);
  if (!taken.ok) {
    throw new Error(`the lock is ${taken.error}`);
  }
  onTestFinished(() => taken.value.release());
  return taken.value;
}
