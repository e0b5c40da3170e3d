/** What a start repairs after a kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readCommand } from '#adapters/embedded-postgres/server/process-table.ts';
import {
  clusterName,
  killAll,
  lockFile,
  makeStoppedCluster,
  makeTemporaryDirectory,
  query,
  serverPid,
  serverProcesses,
  startServer,
} from './running-server.ts';
import { launchUser } from './server-user.ts';

/** Has a committed row. The parent was killed. */
async function abandonServer(dataDir: string): Promise<string> {
  const user = launchUser({ dataDir });
  const outcome = await user.outcome;
  const url = 'started' in outcome ? outcome.started.url : outcome.failed;
  await query(url, 'create table kept as select 42 as answer');
  await user.kill();
  return url;
}

describe('after the parent was killed', () => {
  test('a start attaches to the server that still runs, and stopping ends that server', async () => {
    const dataDir = await makeStoppedCluster();
    const url = await abandonServer(dataDir);
    const pid = await serverPid(dataDir);
    const server = await startServer(dataDir);
    expect({ url: server.url, isNew: server.isNew, pid: await serverPid(dataDir) }).toStrictEqual({
      url,
      isNew: false,
      pid,
    });
    await server.stop();
    expect(await serverProcesses(dataDir)).toStrictEqual([]);
  });

  test('while creating the cluster, a start creates it anew and clears the remains', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data');
    const user = launchUser({ dataDir });
    // Polls from the beginning, because on a busy machine the message may come when recovery is over.
    await vi.waitFor(async () => expect(await halfMadeClusters(dataDir)).toHaveLength(1), {
      interval: 1,
      timeout: 25_000,
    });
    await user.kill();
    expect(await user.progressed).toContain('Creating the database');
    expect(await halfMadeClusters(dataDir)).toHaveLength(1);
    const server = await startServer(dataDir);
    expect(server.isNew).toBe(true);
    expect(await halfMadeClusters(dataDir)).toStrictEqual([]);
  });

  test('a start ends a server that has no lock file and starts another', async () => {
    const dataDir = await makeStoppedCluster();
    await abandonServer(dataDir);
    const pid = await serverPid(dataDir);
    await rm(lockFile(dataDir));
    const server = await startServer(dataDir);
    expect(await query(server.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
    expect(await serverProcesses(dataDir)).not.toContain(pid);
  });
});

describe('after the server was killed', () => {
  test('with its parent, a start recovers what was committed', async () => {
    const dataDir = await makeStoppedCluster();
    await abandonServer(dataDir);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    const server = await startServer(dataDir);
    expect(await query(server.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
  });

  test('with all its processes, a start recovers what was committed', async () => {
    const dataDir = await makeStoppedCluster();
    await abandonServer(dataDir);
    killAll(await serverProcesses(dataDir));
    const server = await startServer(dataDir);
    expect(await query(server.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
  });

  test('a start ends a child process of the server that is still at work', async () => {
    const dataDir = await makeStoppedCluster();
    const client = new Client(await abandonServer(dataDir));
    await client.connect();
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
    const lost = once(client, 'error');
    client.query('select sum(a) from generate_series(1, 1e6) a, generate_series(1, 1e6) b').catch(() => {});
    await vi.waitFor(async () => expect(await readCommand(pid)).toContain('SELECT'), 20_000);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    const server = await startServer(dataDir);
    await lost;
    expect(await serverProcesses(dataDir)).not.toContain(pid);
    expect(await query(server.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
  });
});

describe('the server starts despite a lock file', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await makeStoppedCluster();
  });

  test('that names a process that has ended', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'close');
    await writeLockFile(dataDir, `${gone.pid}`);
    expect((await startServer(dataDir)).isNew).toBe(false);
  });

  test('that names another program of the same account', async () => {
    const stranger = await spawnStranger(dataDir, 'read line');
    await writeLockFile(dataDir, `${stranger.pid}`);
    expect((await startServer(dataDir)).isNew).toBe(false);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  test('that names an ended process whose parent never waited for it', async () => {
    const careless = await spawnStranger(dataDir, 'exit & echo $!; exec cat');
    const [pid] = await once(careless.stdout as Readable, 'data');
    await writeLockFile(dataDir, String(pid).trim());
    expect((await startServer(dataDir)).isNew).toBe(false);
  });

  test('that names a server that ends during the attach and whose parent never waits for it', async () => {
    const script = `sh -c 'sleep 1; exit' cluster_name=${await clusterName(dataDir)} & echo $!; exec cat`;
    const careless = await spawnStranger(dataDir, script);
    const [pid] = await once(careless.stdout as Readable, 'data');
    await writeLockFile(dataDir, String(pid).trim());
    expect((await startServer(dataDir)).isNew).toBe(false);
  });

  test('that names the server of the cluster that this one was copied from', async () => {
    const other = await makeStoppedCluster();
    const server = await startServer(other);
    await writeFile(lockFile(dataDir), await readFile(lockFile(other)));
    expect(new URL((await startServer(dataDir)).url).port).not.toBe(new URL(server.url).port);
    expect(await query(server.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
  });

  test.each(['', 'garbage', '0', '-7'])('that contains %j', async (content) => {
    await writeFile(lockFile(dataDir), content);
    expect((await startServer(dataDir)).isNew).toBe(false);
  });
});

test('a start clears a half-made cluster of an earlier crash', async () => {
  const dataDir = await makeStoppedCluster();
  await mkdir(join(dataDir, 'postgres.new-0123456789ab', 'cluster', 'base'), { recursive: true });
  await startServer(dataDir);
  expect(await halfMadeClusters(dataDir)).toStrictEqual([]);
});

test('a start moves a large log aside and begins a new one', async () => {
  const dataDir = await makeStoppedCluster();
  await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(9 * 1024 * 1024, 'x'));
  await startServer(dataDir);
  expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(100_000);
  expect((await stat(join(dataDir, 'postgres.log.1'))).size).toBe(9 * 1024 * 1024);
});

async function halfMadeClusters(dataDir: string): Promise<readonly string[]> {
  return (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
}

function writeLockFile(dataDir: string, pid: string): Promise<void> {
  const content = [pid, join(dataDir, 'postgres'), '1700000000', '15432', '', '127.0.0.1', '  1  1', 'ready'];
  return writeFile(lockFile(dataDir), `${content.join('\n')}\n`);
}

/** PostgreSQL refuses to start while such a program runs under the account of the cluster. */
async function spawnStranger(dataDir: string, script: string): Promise<ChildProcess> {
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const identity = process.getuid?.() === 0 ? { uid, gid } : {};
  const stranger = spawn('/bin/sh', ['-c', script], {
    ...identity,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(stranger, 'spawn');
  onTestFinished(() => {
    stranger.kill('SIGKILL');
  });
  return stranger;
}
