/** `fleetsift export`, on a backend in memory: what it writes, what it says, and what it leaves behind. */
import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runProgram } from '#adapters/cli/program.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import type { DeviceExporter } from '#application/ports/fleet/device-exporter.ts';
import { aDevice, aFilter, anOrganization, newId } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;
let tenant: Tenant;
let directory: string;
let file: string;

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend, 2);
  const [one, two] = tenant.orgIds as [typeof tenant.orgId, typeof tenant.orgId];
  await loadFleet(backend, [
    aDevice({ orgId: one, hostname: 'a-1', status: 'online', tags: ['vip', 'x'] }),
    aDevice({ orgId: one, hostname: 'a-2', status: 'offline' }),
    aDevice({ orgId: two, hostname: 'b-1', status: 'online' }),
  ]);
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-export-'));
  file = join(directory, 'devices.csv');
});

afterEach(() => rm(directory, { recursive: true }));

const exported = (...args: readonly string[]) =>
  captureOutput(() =>
    runProgram(makeCliRuntime(backend, directory), ['export', '--fields', 'hostname', ...args]),
  );

const entries = () =>
  backend
    .auditEntries()
    .filter(({ action }) => action === 'device.export')
    .map(({ actor, result, orgId, details }) => ({ actor: actor.type, result, orgId, details }));

describe('export writes', () => {
  test('every device to standard output, and says how many on standard error', async () => {
    expect(await exported()).toStrictEqual({
      code: 0,
      stdout: 'hostname\r\na-1\r\na-2\r\nb-1\r\n',
      stderr: 'exported 3 devices\n',
    });
  });

  test('NDJSON', async () => {
    const { stdout } = await exported('--ndjson', '--org', tenant.orgId, '--fields', 'hostname, tags');
    expect(stdout).toBe('{"hostname":"a-1","tags":["vip","x"]}\n{"hostname":"a-2","tags":[]}\n');
  });

  test('the devices of a query, of conditions in a file, and of a saved filter', async () => {
    const online = {
      operator: 'AND',
      conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
    };
    const whose = { orgId: tenant.orgId, createdBy: tenant.userId };
    const filter = aFilter({ ...whose, name: 'Up and running', conditions: online });
    await loadFleet(backend, [filter, aFilter({ ...whose, name: 'Another', conditions: online })]);
    const conditions = join(directory, 'conditions.json');
    await writeFile(conditions, JSON.stringify(online));
    const body = join(directory, 'body.json');
    await writeFile(body, JSON.stringify({ conditions: online }));
    const found = async (...args: readonly string[]) =>
      (await exported(...args)).stdout.split('\r\n').slice(1, -1);
    expect(await found('--query', 'status:online')).toStrictEqual(['a-1', 'b-1']);
    expect(await found('--conditions', conditions)).toStrictEqual(['a-1', 'b-1']);
    expect(await found('--conditions', body, '--org', tenant.orgId)).toStrictEqual(['a-1']);
    expect(await found(filter.id, '--csv')).toStrictEqual(['a-1']);
    expect(await found('up and running')).toStrictEqual(['a-1']);
    const named = anOrganization({ partnerId: tenant.partnerId, name: 'Plant 9' });
    await loadFleet(backend, [named, aDevice({ orgId: named.id, hostname: 'c-1' })]);
    expect(await found('--org', 'plant 9')).toStrictEqual(['c-1']);
  });

  test('a file, and leaves no other file beside it', async () => {
    await writeFile(file, 'before');
    const outcome = await exported('--output', file, '--query', 'status:online');
    expect(outcome).toStrictEqual({ code: 0, stdout: '', stderr: `exported 2 devices to ${file}\n` });
    expect(await readFile(file, 'utf8')).toBe('hostname\r\na-1\r\nb-1\r\n');
    expect(await readdir(directory)).toStrictEqual(['devices.csv']);
  });

  test('to the target of a link, and keeps the link', async () => {
    const link = join(directory, 'latest.csv');
    await writeFile(file, 'before');
    await symlink(file, link);
    expect(await exported('--output', link)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe('hostname\r\na-1\r\na-2\r\nb-1\r\n');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(directory)).sort()).toStrictEqual(['devices.csv', 'latest.csv']);
  });

  test('to a pipe, and keeps the pipe', async () => {
    const pipe = join(directory, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const [outcome, read] = await Promise.all([exported('--output', pipe), readFile(pipe, 'utf8')]);
    expect(outcome).toMatchObject({ code: 0 });
    expect(read).toBe('hostname\r\na-1\r\na-2\r\nb-1\r\n');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(directory)).toStrictEqual(['pipe']);
  });
});

describe('export', () => {
  test('is audited with what was exported and the name of the command', async () => {
    await exported('--org', tenant.orgId, '--query', 'status:online');
    expect(entries()).toStrictEqual([
      {
        actor: 'system',
        result: 'success',
        orgId: tenant.orgId,
        details: {
          command: 'export',
          conditionFields: ['status'],
          columns: ['hostname'],
          format: 'csv',
          rows: 1,
        },
      },
    ]);
  });
});

describe('export refuses, and writes nothing:', () => {
  const refused = async (...args: readonly string[]) => {
    const outcome = await exported('--output', file, ...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(await readdir(directory)).not.toContain('devices.csv');
    return outcome.stderr;
  };

  test('a query with a fault, and marks its place', async () => {
    const [what, ...lines] = (await refused('--query', 'status:online hostnam:x')).split('\n');
    expect(what).toMatch(/^--query: .*"hostnam"\. Did you mean hostname\?/);
    expect(lines).toStrictEqual(['  status:online hostnam:x', '                ^^^^^^^', '']);
  });

  test('conditions with a fault, and names its path', async () => {
    const conditions = join(directory, 'conditions.json');
    await writeFile(
      conditions,
      '{"operator":"AND","conditions":[{"field":"hostnam","operator":"equals","value":"x"}]}',
    );
    expect(await refused('--conditions', conditions)).toBe(
      '--conditions: No field "hostnam". Did you mean hostname?\n  at conditions.conditions[0].field\n',
    );
  });

  test('an unknown field, and names every other fault as well', async () => {
    const stderr = await refused('--fields', 'hostnme', '--query', 'hostnam:x');
    expect(stderr).toContain('--query: ');
    expect(stderr).toContain('--fields: No field "hostnme". Did you mean hostname?\n');
  });

  test.each<[string, () => readonly string[], string]>([
    ['two filters', () => ['--query', 'a', newId()], 'at most one of FILTER, --query and --conditions'],
    ['a filter that does not exist', () => [newId()], 'FILTER: there is no saved filter with the id or name'],
    ['both formats', () => ['--csv', '--ndjson'], "'--csv' cannot be used with option '--ndjson'"],
    ['an organization that does not exist', () => ['--org', newId()], '--org: there is no organization'],
    [
      'a file that does not exist',
      () => ['--conditions', join(directory, 'none')],
      'cannot be read (ENOENT)',
    ],
    ['a file that is not JSON', () => ['--conditions', join(directory, 'text')], 'is not JSON'],
  ])('%s', async (_what, args, hint) => {
    await writeFile(join(directory, 'text'), 'status:online');
    expect(await refused(...args())).toContain(hint);
  });

  test('a place where it cannot write, and reads no device', async () => {
    const deviceExporter = vi.fn<DeviceExporter>(backend.deviceExporter);
    backend = { ...backend, deviceExporter };
    const outcome = await exported('--output', join(directory, 'none', 'devices.csv'));
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain('cannot be written (ENOENT)');
    expect(await exported('--output', directory)).toMatchObject({
      code: 1,
      stderr: `${directory} is a directory, not a file\n`,
    });
    expect(deviceExporter).not.toHaveBeenCalled();
    expect(await readdir(directory)).toStrictEqual([]);
  });
});

describe('an export that ends early', () => {
  /** Calls `happen` between the first row and the second. */
  const exporting = (happen: () => void): DeviceExporter =>
    async function* ({ signal }) {
      yield [['a-1']];
      happen();
      signal?.throwIfAborted();
      yield [['a-2']];
    };

  test('by an interruption says so, and leaves the old file unchanged', async () => {
    await writeFile(file, 'before');
    let isEchoHeard = false;
    const interruptTwice = () => {
      process.emit('SIGINT');
      // npm passes on the signal that the terminal has sent already. Without a listener, it would end the process.
      isEchoHeard = process.emit('SIGINT');
    };
    backend = { ...backend, deviceExporter: exporting(interruptTwice) };
    const outcome = await exported('--output', file);
    expect(outcome).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `interrupted after 1 device; ${file} was not written\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await readdir(directory)).toStrictEqual(['devices.csv']);
    expect(entries()).toMatchObject([{ result: 'denied', details: { rows: 1 } }]);
    expect([isEchoHeard, process.listenerCount('SIGINT')]).toStrictEqual([true, 0]);
  });

  test('by a failure says so, and that its output is not complete', async () => {
    backend = {
      ...backend,
      deviceExporter: exporting(() => {
        throw new Error('the connection is lost');
      }),
    };
    expect(await exported()).toStrictEqual({
      code: 1,
      stdout: 'hostname\r\na-1\r\n',
      stderr: 'failed (the connection is lost) after 1 device; the output is not complete\n',
    });
  });
});
