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

test.each([
  ['the log', 'log.info({ reason: hostile }, hostile);', 'stdout'],
  ['messages of the start and the end', "announceInLog()('warn', hostile);", 'stderr'],
] as const)('a terminal obeys nothing in %s, and the meaning is kept', async (_, use, stream) => {
  const hostile = 'a\u009d52;c;ZXZpbA==\u009c\u001b[2J\r\nb\u007f\u202e\u2066\u061c\u2028\ud800 Grüße 日本';
  const program = `
    const { makeLogger, announceInLog } = await import(${JSON.stringify(LOGGER)});
    const log = makeLogger('info');
    const hostile = ${JSON.stringify(hostile)};
    ${use}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  let written = '';
  child[stream].setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  await once(child, 'close');
  expect(written).toMatch(/^[^\n]+\n$/);
  expect(written.trimEnd()).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
  expect(written).toContain('Grüße 日本');
  expect(JSON.parse(written)).toMatchObject({ msg: hostile });
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
