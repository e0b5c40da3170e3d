import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';

const LOGGER = import.meta.resolve('#adapters/system/logger.ts');

/** Logs a line every fifth of a second, each of which is written by itself. */
const PROGRAM = `
  const { makeLogger } = await import(${JSON.stringify(LOGGER)});
  const log = makeLogger('info');
  for (const line of ['one', 'two', 'three']) {
    log.info(line);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  log.info('last');
`;

test('a full disk under the log neither ends the process nor keeps it from ending, and is told once', async () => {
  const full = await open('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      stdio: ['ignore', full.fd, 'pipe'],
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child, 'close');
    expect(said).toBe('the log cannot be written: ENOSPC: no space left on device, write\n');
    expect(child.exitCode).toBe(0);
  } finally {
    await full.close();
  }
});
