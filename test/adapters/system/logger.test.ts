import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';

const LOGGER = import.meta.resolve('#adapters/system/logger.ts');

const MAKE_LOG = `
  const { makeLogger } = await import(${JSON.stringify(LOGGER)});
  const log = makeLogger('info');
`;

/** Logs a line every fifth of a second, so each line is written separately. */
const PROGRAM = `
  ${MAKE_LOG}
  for (const line of ['one', 'two', 'three']) {
    log.info(line);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  log.info('last');
`;

test.each([
  ['while the process runs', "log.info('words'); setInterval(() => {}, 1_000);"],
  ['at the end of the process', "log.info('words');"],
  ['when the process is ended', "log.info('words'); process.exit(0);"],
])('a line is written once: %s', async (_, use) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${MAKE_LOG}${use}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  let written = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    if (use.includes('setInterval')) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(written.match(/"msg":"words"/g)).toHaveLength(1);
});

test('a full disk neither ends the process nor keeps it from ending, and is reported once', async () => {
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
    expect(
      said
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { level: 50, msg: 'the log cannot be written: ENOSPC: no space left on device, write' },
    ]);
    expect(child.exitCode).toBe(0);
  } finally {
    await full.close();
  }
});
