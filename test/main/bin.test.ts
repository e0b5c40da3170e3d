/** The installed program on a Node that is too old. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

test.each(['20.19.0', '22.16.9'])(
  'on Node %s the program says which version it needs, and loads nothing',
  async (version) => {
    expect(await runOn(version)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `fleetsift needs Node 22.17 or newer, and this is ${version}; install a newer one\n`,
    });
  },
);

test.each(['22.17.0', '24.0.1'])('on Node %s the program runs', async (version) => {
  expect(await runOn(version)).toStrictEqual({ code: 7, stdout: 'org list\n', stderr: '' });
});

/** Runs the program, beside another `main.ts`, with this version in `process.versions`. */
async function runOn(version: string) {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-bin-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, 'bin.ts');
  for (const file of ['bin.ts', 'oldest-node.ts']) await copyFile(join(SOURCES, file), join(directory, file));
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  await writeFile(
    join(directory, 'main.ts'),
    'export async function runCommandLine(args: string[]) { console.log(args.join(" ")); return 7; }',
  );
  const versions = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', versions, program, 'org', 'list'],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
