/** A server in use dies, its sessions die, or another process needs it. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { openDataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import { withStartMutex } from '#adapters/embedded-postgres/locks/start-mutex.ts';
import { readCommand } from '#adapters/embedded-postgres/server/process-table.ts';
import { makeStoppedCluster, query, serverPid, serverProcesses, startServer } from './running-server.ts';
import { launchUser } from './server-user.ts';

const LOCK_HOLDERS = `
  select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted order by pid`;

test('a killed server comes back at the same address, with what was committed', async () => {
  const dataDir = await makeStoppedCluster();
  const progress = vi.fn<(message: string) => void>();
  const server = await startServer(dataDir, progress);
  await query(server.url, 'create table kept as select 42 as answer');
  const pid = await serverPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(progress).toHaveBeenCalledWith('The embedded database is back'), 20_000);
  expect(await query(server.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
  expect(await serverPid(dataDir)).not.toBe(pid);
});

test('a server that somebody else stops comes back at the same address', async () => {
  const dataDir = await makeStoppedCluster();
  const progress = vi.fn<(message: string) => void>();
  const server = await startServer(dataDir, progress);
  process.kill(await serverPid(dataDir), 'SIGINT');
  await vi.waitFor(() => expect(progress).toHaveBeenCalledWith('The embedded database is back'), 20_000);
  expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
});

test('two users of a killed server come back to one server', async () => {
  const dataDir = await makeStoppedCluster();
  const server = await startServer(dataDir);
  const user = launchUser({ dataDir });
  await user.outcome;
  process.kill(await serverPid(dataDir), 'SIGKILL');
  await vi.waitFor(async () => expect(await query(server.url, LOCK_HOLDERS)).toHaveLength(2), 20_000);
  await server.stop();
  expect(await query(server.url, LOCK_HOLDERS)).toHaveLength(1);
  await user.stop();
  expect(await serverProcesses(dataDir)).toStrictEqual([]);
});

test('a user whose session is killed takes its lock again, so that others do not stop its server', async () => {
  const dataDir = await makeStoppedCluster();
  const server = await startServer(dataDir);
  const pid = await serverPid(dataDir);
  const [before] = (await query(server.url, LOCK_HOLDERS)) as readonly { readonly pid: number }[];
  process.kill(before?.pid ?? Number.NaN, 'SIGKILL');
  await vi.waitFor(async () => {
    const holders = await query(server.url, LOCK_HOLDERS);
    expect(holders).toHaveLength(1);
    expect(holders).not.toStrictEqual([before]);
  }, 20_000);
  const user = launchUser({ dataDir });
  await user.outcome;
  await user.stop();
  expect(await serverPid(dataDir)).toBe(pid);
});

test('stopping right after the server was killed leaves nothing running', async () => {
  const dataDir = await makeStoppedCluster();
  const server = await startServer(dataDir);
  process.kill(await serverPid(dataDir), 'SIGKILL');
  await server.stop();
  await vi.waitFor(async () => expect(await serverProcesses(dataDir)).toStrictEqual([]), 20_000);
  // PostgreSQL frees the shared memory of a killed server at the next start.
  expect((await startServer(dataDir)).isNew).toBe(false);
});

test('stopping after the data directory was deleted ends the server', async () => {
  const dataDir = await makeStoppedCluster();
  const server = await startEmbeddedPostgres({ dataDir });
  const pid = await serverPid(dataDir);
  // The server still writes files there.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  await server.stop();
  expect(await readCommand(pid)).toBeUndefined();
});

test('a user returns to its address after another one moved the server because the port was taken', async () => {
  const dataDir = await makeStoppedCluster();
  const progress = vi.fn<(message: string) => void>();
  const server = await startServer(dataDir, progress);
  // Most services close a connection whose messages they do not understand.
  const squatter = createServer((socket) => socket.destroy());
  await withStartMutex(await openDataDir(dataDir), new AbortController().signal, async () => {
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await vi.waitFor(() => squat(squatter, Number(new URL(server.url).port)), 20_000);
  });
  const user = launchUser({ dataDir });
  expect(await user.outcome).not.toStrictEqual({ started: { url: server.url, isNew: false } });
  await vi.waitFor(
    () => expect(progress).toHaveBeenCalledWith(expect.stringMatching(/port \d+, because/)),
    20_000,
  );
  squatter.close();
  await user.stop();
  await vi.waitFor(() => expect(progress).toHaveBeenCalledWith('The embedded database is back'), 20_000);
  expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
});

test('a cluster deleted under a running service is reported, not replaced by an empty one', async () => {
  const dataDir = await makeStoppedCluster();
  const progress = vi.fn<(message: string) => void>();
  await startServer(dataDir, progress);
  await withStartMutex(await openDataDir(dataDir), new AbortController().signal, async () => {
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGINT');
    await vi.waitFor(async () => expect(await readCommand(pid)).toBeUndefined(), 20_000);
    await rm(join(dataDir, 'postgres'), { recursive: true });
  });
  await vi.waitFor(
    () => expect(progress).toHaveBeenCalledWith(expect.stringContaining('there is no database in')),
    20_000,
  );
});

async function squat(squatter: Server, port: number): Promise<void> {
  squatter.listen(port, '127.0.0.1');
  await once(squatter, 'listening');
}
