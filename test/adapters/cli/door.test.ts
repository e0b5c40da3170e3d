/** No control character reaches the terminal, not even in a name that an attacker chose. */
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import { readInventory } from '#adapters/glpi/read-inventory.ts';
import { LoadFileError } from '#adapters/load/fault-list.ts';
import { printRecord } from '#adapters/load/print-record.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { visible, visibleName } from '#domain/text/visible-text.ts';
import { aDevice, anOrganization, aUser } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Sets the clipboard, in both codings of OSC; clears the screen; fakes a line; turns the writing direction. */
const HOSTILE =
  'pc\u001b]52;c;ZXZpbA==\u0007\u009d52;c;ZXZpbA==\u009c\u001b[2J\rloaded\nroot\u007f\u202e\u2066\u061c';

/** What a terminal obeys, apart from the line breaks and tabs that commands write. */
const OBEYED = /(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

test('control characters are escaped as in JSON, and text in any language is kept', () => {
  expect(visible('a\u001b[2Jb\u009bc\u202ed\u2028e\ud800f')).toBe(
    'a\\u001b[2Jb\\u009bc\\u202ed\\u2028e\\ud800f',
  );
  const text = 'Grüße\tעברית\r\n日本 👩‍💻\n';
  expect(visible(text)).toBe(text);
  expect(visible('a\rb')).toBe('a\\u000db');
  expect(visibleName('a\r\nb\tc')).toBe('a\\u000d\\u000ab\\u0009c');
  const value = { name: HOSTILE };
  expect(JSON.parse(visible(JSON.stringify(value)))).toStrictEqual(value);
});

test('no command writes past the door (terminal/door.ts)', () => {
  const writers = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/adapters/web/client/**'] }).filter(
    (file) => {
      const source = readFileSync(join(ROOT, file), 'utf8').replace(
        /process\.std(out|err)\.(isTTY|on|off)\b/g,
        '',
      );
      return /process\.std(out|err)|process\[|\bconsole\.[a-z]+\(|\bwriteSync\(|\bpino\.destination\(|\/dev\/(stdout|stderr|tty)/.test(
        source.replace(/\/\*.*?\*\//gs, ''),
      );
    },
  );
  expect(writers.toSorted()).toStrictEqual([
    'src/adapters/cli/terminal/door.ts',
    // The bar moves the cursor; its title is visible text.
    'src/adapters/cli/terminal/progress.ts',
    // Writes dumps and exports; on a terminal, through the door.
    'src/adapters/cli/terminal/write-output.ts',
    // The log; its lines are visible text.
    'src/adapters/system/logger.ts',
    // Says on an old Node which version it needs, and can load nothing there.
    'src/bin.ts',
  ]);
});

describe('with hostile names', () => {
  let backend: MemoryBackend;
  let tenant: Tenant;
  let directory: string;

  beforeEach(async () => {
    backend = makeCliBackend();
    tenant = await createTenant(backend);
    directory = await mkdtemp(join(tmpdir(), 'fleetsift-door-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  const runtime = (): CliRuntime =>
    makeCliRuntime(backend, directory, {
      importInventories: async () => ({ readInventory }),
      importLoadFiles: async () => ({ readLoadFile, printRecord, LoadFileError }),
    });

  async function shown(...args: readonly string[]) {
    const outcome = await captureOutput(() => runProgram(runtime(), args));
    expect(outcome.stdout + outcome.stderr).not.toMatch(OBEYED);
    return outcome;
  }

  const writeFileOf = async (name: string, value: unknown) => {
    const file = join(directory, name);
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };

  test('import shows the name of a machine in one line', async () => {
    const sample = JSON.parse(await readFile(join(ROOT, 'test/fixtures/glpi/computer_1.json'), 'utf8'));
    sample.content.hardware.name = HOSTILE;
    const outcome = await shown('import', '--org', tenant.orgId, await writeFileOf('pc.json', sample));
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stdout.match(/\n/g)).toHaveLength(1);
    expect(outcome.stdout).toContain('pc\\u001b]52;c;');
  });

  test('import escapes refusals that quote the file, and the name of the file', async () => {
    const sample = { action: 'inventory', deviceid: 'x', itemtype: HOSTILE, content: { [HOSTILE]: HOSTILE } };
    const faulty = await writeFileOf(`\u009b2J${'x'}\u202e.json`, sample);
    const broken = await writeFileOf('broken.json', `{"a": ${HOSTILE}`);
    const outcome = await shown('import', '--org', tenant.orgId, faulty, broken);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('\\u009b2J');
  });

  test('load escapes faults that quote the file', async () => {
    const document = await writeFileOf('fleet.json', {
      partners: [{ id: HOSTILE, name: 'x', [HOSTILE]: 1 }],
      [HOSTILE]: [],
    });
    const lines = await writeFileOf(
      'fleet.ndjson',
      `{"kind":${JSON.stringify(HOSTILE)}}\n{"kind":"partner","id":"${'\u009d52;c;\u009c'}","name":"x"}\n{"kind": \u009b}\n`,
    );
    const outcome = await shown('load', document, lines);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('\\u009d52;c;');
  });

  test.each([[['--csv']], [['--ndjson']]])(
    'export %j escapes control characters on a terminal',
    async (format) => {
      await loadFleet(backend, [aDevice({ orgId: tenant.orgId, hostname: HOSTILE, tags: [HOSTILE] })]);
      const fields = ['--fields', 'hostname,tags'];
      const { stdout: piped } = await captureOutput(() =>
        runProgram(runtime(), ['export', ...format, ...fields]),
      );
      expect(piped).toMatch(OBEYED);
      asTerminal();
      expect((await shown('export', ...format, ...fields)).stdout).toContain('\\u009d52;c;');
    },
  );

  test.each([
    [['user', 'list']],
    [['user', 'list', '--json']],
    [['user', 'show', 'hostile@example.com']],
    [['site', 'delete', HOSTILE, '--org', HOSTILE]],
    [['org', 'rename', `${HOSTILE}?`, '--name', 'x']],
    [['org', 'list']],
    [['org', 'list', '--json']],
    [['mail', 'list', '--status', HOSTILE]],
    [['user', 'disable', HOSTILE]],
    [['export', HOSTILE]],
    [['export', '--query', `nothing:${HOSTILE}`]],
    [['enrolment-key', 'revoke', HOSTILE]],
    [['import', '--org', `${HOSTILE}?`, 'gone.json']],
    [[HOSTILE]],
    [[`--${HOSTILE}`]],
  ])('fleetsift %j escapes control characters', async (args) => {
    await loadFleet(backend, [
      anOrganization({ partnerId: tenant.partnerId, name: HOSTILE }),
      aUser({
        email: 'hostile@example.com',
        name: HOSTILE,
        membership: { scope: 'organization', orgId: tenant.orgId },
      }),
    ]);
    const { stdout, stderr } = await shown(...args);
    expect(stdout + stderr).toContain('\\u009d52;c;');
  });

  test('device delete prints one line', async () => {
    const device = aDevice({ orgId: tenant.orgId, hostname: HOSTILE });
    await loadFleet(backend, [device]);
    expect((await shown('device', 'delete', device.id)).stdout.match(/\n/g)).toHaveLength(1);
  });
});

function asTerminal(): void {
  const given = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
  Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true });
  onTestFinished(() => {
    if (given === undefined) Reflect.deleteProperty(process.stdout, 'isTTY');
    else Object.defineProperty(process.stdout, 'isTTY', given);
  });
}
