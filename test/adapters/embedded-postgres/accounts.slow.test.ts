/**
 * Accounts that may run the server. Root can switch to any account, so root tries all cases, and an ordinary user tries
 * its own.
 */
import { chmod, chown, lchown, mkdir, mkdtemp, opendir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckoutCopy, copyCheckout } from './checkout-copy.ts';
import {
  makeStoppedCluster,
  makeTemporaryDirectory,
  query,
  serverPid,
  serverProcesses,
} from './running-server.ts';
import { launchUser, type ServerUserOptions } from './server-user.ts';

const IS_ROOT = process.getuid?.() === 0;

/** User and group exist on every system. */
const NOBODY = 65_534;

/** `nobody` for root; otherwise this process's user. */
const ORDINARY = IS_ROOT ? { uid: NOBODY } : {};
const ORDINARY_UID = IS_ROOT ? NOBODY : process.getuid?.();

let directory: string;
let hidden: string;
let copy: CheckoutCopy;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-test-'));
  hidden = join(directory, 'hidden');
  await mkdir(hidden, { mode: 0o755 });
  copy = await copyCheckout(hidden);
  await chmod(directory, 0o755);
});

afterAll(async () => {
  await chmod(copy.libraries, 0o755);
  await rm(directory, { recursive: true, force: true });
});

describe('an ordinary user', () => {
  test('runs the server as itself', async () => {
    const options = await ordinaryUse();
    const user = launchUser(options);
    expect(await user.outcome).toStrictEqual(started({ isNew: true }));
    expect((await stat(join(options.dataDir, 'postgres'))).uid).toBe(ORDINARY_UID);
    expect((await stat(join(options.dataDir, 'postgres.password'))).uid).toBe(ORDINARY_UID);
    await user.stop();
    expect(await serverProcesses(options.dataDir)).toStrictEqual([]);
  });

  test('copies the binaries if links among the libraries are missing and it cannot make them', async () => {
    await removeLinks();
    await chmod(copy.libraries, 0o555);
    const options = await ordinaryUse();
    const user = launchUser(options);
    expect(await user.outcome).toStrictEqual(started({ isNew: true }));
    expect(await readdir(options.temporary)).toHaveLength(1);
    await user.stop();
    expect(await readdir(options.temporary)).toStrictEqual([]);
    expect(await listLinks()).toStrictEqual([]);
    await chmod(copy.libraries, 0o755);
  });
});

test('missing links among the libraries are made if the user may make them', async () => {
  await removeLinks();
  const temporary = await makeTemporaryDirectory();
  const user = launchUser({ ...copy, dataDir: join(temporary, 'data'), temporary });
  expect(await user.outcome).toStrictEqual(started({ isNew: true }));
  expect(await listLinks()).toContain('libpq.so.5');
  await user.stop();
  expect(await readdir(temporary)).toStrictEqual(['data']);
});

if (IS_ROOT) {
  describe('root', () => {
    test('runs the server under an account without rights, which owns the cluster and nothing else', async () => {
      const dataDir = join(await makeTemporaryDirectory(), 'data');
      const user = launchUser({ dataDir });
      expect(await user.outcome).toStrictEqual(started({ isNew: true }));
      const { uid } = await stat(join(dataDir, 'postgres'));
      expect(uid).not.toBe(0);
      expect((await stat(dataDir)).uid).toBe(0);
      const status = await readFile(`/proc/${await serverPid(dataDir)}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:\t${uid}\t${uid}\t${uid}\t${uid}$`, 'm'));
      expect(status).toMatch(/^Groups:\s*$/m);
      await user.stop();
    });

    test('keeps program and data in a directory that only root may enter', async () => {
      await chmod(hidden, 0o700);
      const temporary = await makeTemporaryDirectory();
      const dataDir = join(hidden, 'data');
      const user = launchUser({ ...copy, dataDir, temporary });
      expect(await user.outcome).toStrictEqual(started({ isNew: true }));
      const [binaries] = await readdir(temporary);
      expect(binaries).toMatch(/^fleetsift-postgres-/);
      await user.kill();
      process.kill(await serverPid(dataDir), 'SIGKILL');
      const next = launchUser({ ...copy, dataDir, temporary });
      expect(await next.outcome).toStrictEqual(started({ isNew: false }));
      expect(await readdir(temporary)).toStrictEqual([binaries]);
      await next.stop();
      expect(await readdir(temporary)).toStrictEqual([]);
      expect(await serverProcesses(dataDir)).toStrictEqual([]);
      await chmod(hidden, 0o755);
    });

    test('leaves a cluster to the ordinary user who made it', async () => {
      const options = await ordinaryUse();
      const made = launchUser(options);
      expect(await made.outcome).toStrictEqual(started({ isNew: true }));
      await made.stop();
      await rm(join(options.dataDir, 'postgres.log'));
      const asRoot = launchUser({ dataDir: options.dataDir });
      expect(await asRoot.outcome).toStrictEqual(started({ isNew: false }));
      await asRoot.stop();
      const again = launchUser(options);
      expect(await again.outcome).toStrictEqual(started({ isNew: false }));
      await again.stop();
    });

    test('opens a cluster that it restored from a backup and therefore owns', async () => {
      const dataDir = await makeStoppedCluster();
      const user = launchUser({ dataDir });
      const outcome = await user.outcome;
      await query('started' in outcome ? outcome.started.url : outcome.failed, 'create table kept ()');
      await user.stop();
      for await (const entry of await opendir(dataDir, { recursive: true })) {
        await lchown(join(entry.parentPath, entry.name), 0, 0);
      }
      const next = launchUser({ dataDir });
      const restored = await next.outcome;
      expect(
        await query('started' in restored ? restored.started.url : restored.failed, 'select * from kept'),
      ).toStrictEqual([]);
      await next.stop();
    });

    test('makes a cluster that is refused to an ordinary user as belonging to another user', async () => {
      const dataDir = join(await makeTemporaryDirectory(), 'data');
      await mkdir(dataDir, { mode: 0o700 });
      const user = launchUser({ dataDir });
      await user.outcome;
      await user.stop();
      const closed = await launchUser({ ...copy, ...ORDINARY, dataDir }).outcome;
      expect(closed).toStrictEqual({ failed: expect.stringMatching(/DATA_DIR .* belongs to another user/) });
      await chmod(dataDir, 0o777);
      const open = await launchUser({ ...copy, ...ORDINARY, dataDir }).outcome;
      expect(open).toStrictEqual({ failed: expect.stringContaining('It belongs to another user') });
    });
  });
} else {
  test('a data directory that this user cannot enter is refused', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data');
    await mkdir(dataDir, { mode: 0o000 });
    const outcome = await launchUser({ dataDir }).outcome;
    expect(outcome).toStrictEqual({ failed: expect.stringMatching(/DATA_DIR .* belongs to another user/) });
  });

  test('program and data may lie in a directory that only this user may enter', async () => {
    await chmod(hidden, 0o700);
    const user = launchUser({ ...copy, dataDir: join(hidden, 'data') });
    expect(await user.outcome).toStrictEqual(started({ isNew: true }));
    await user.stop();
    await chmod(hidden, 0o755);
  });
}

function started({ isNew }: { readonly isNew: boolean }): object {
  return { started: { url: expect.any(String), isNew } };
}

/** The ordinary user can reach the program here, but not change it. */
async function ordinaryUse(): Promise<ServerUserOptions & { readonly temporary: string }> {
  const parent = await makeTemporaryDirectory();
  const temporary = join(parent, 'temporary');
  const dataDir = join(parent, 'data');
  for (const path of [temporary, dataDir]) {
    await mkdir(path);
    if (IS_ROOT) {
      await chown(path, NOBODY, NOBODY);
    }
  }
  return { ...copy, ...ORDINARY, dataDir, temporary };
}

async function removeLinks(): Promise<void> {
  for (const name of await listLinks()) {
    await rm(join(copy.libraries, name));
  }
}

async function listLinks(): Promise<readonly string[]> {
  const entries = await readdir(copy.libraries, { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
}
