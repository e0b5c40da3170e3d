import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#adapters/embedded-postgres/embedded-postgres.ts';
import { acquireServiceLock } from '#adapters/embedded-postgres/locks/service-locks.ts';
import type { ReconnectingSession } from '#adapters/embedded-postgres/session/session.ts';
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

test('the exclusive lock is held by one service at a time', async () => {
  const first = await take();
  expect(await acquireServiceLock(server.url)).toBeNull();
  await first.close();
  await take();
});

test('the lock can be released twice', async () => {
  const lock = await take();
  await Promise.all([lock.close(), lock.close()]);
  expect(await query(server.url, LOCK_HOLDERS)).toStrictEqual([]);
});

test('a waiting start gets the lock as soon as the session of its holder ends', async () => {
  const client = await take();
  const next = acquireServiceLock(server.url);
  await client.close();
  const lock = await next;
  expect(lock).not.toBeNull();
  await lock?.close();
});

test('the holder takes the lock again when the server comes back from a crash', async () => {
  await take();
  process.kill(await serverPid(dataDir), 'SIGKILL');
  await vi.waitFor(async () => expect(await query(server.url, LOCK_HOLDERS)).toHaveLength(1), 20_000);
  expect(await acquireServiceLock(server.url)).toBeNull();
});

test('taking the lock rejects if there is no server', async () => {
  const url = new URL(server.url);
  url.port = '9';
  await expect(acquireServiceLock(url.href)).rejects.toThrow('ECONNREFUSED');
});

async function take(): Promise<ReconnectingSession> {
  const lock = await acquireServiceLock(server.url);
  if (lock === null) throw new Error('the lock is held');
  onTestFinished(() => lock.close());
  return lock;
}
