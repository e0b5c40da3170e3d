/** `fleetsift device set` and `device undo`, on a backend in memory. */
import { beforeEach, expect, test } from 'vitest';
import { runProgram } from '#adapters/cli/program.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { aCustomField, aDevice, aFilter } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;
let tenant: Tenant;
let devices: readonly DeviceRecord[];

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend, 2);
  const [one, two] = tenant.orgIds as [typeof tenant.orgId, typeof tenant.orgId];
  devices = [
    aDevice({ orgId: one, hostname: 'a-1', tags: ['old'], status: 'online' }),
    aDevice({ orgId: one, hostname: 'a-2', tags: ['old', 'vip'], status: 'online' }),
    aDevice({ orgId: two, hostname: 'b-1', tags: ['old'], status: 'online' }),
  ];
  const seats = aCustomField({
    owner: { kind: 'partner', partnerId: tenant.partnerId },
    key: 'seats',
    type: 'number',
  });
  await loadFleet(backend, [...devices, seats]);
});

const run = (...args: readonly string[]) =>
  captureOutput(() => runProgram(makeCliRuntime(backend, '/nowhere'), ['device', ...args]));
const read = async (n: number) =>
  (await backend.deviceReader.find(SYSTEM_SCOPE, devices[n]?.id as DeviceRecord['id']))?.device;
const entries = () =>
  backend
    .auditEntries()
    .filter(({ action }) => action.startsWith('device.bulk'))
    .map(({ action, actor, details }) => [
      action,
      actor.type,
      details.command,
      details.changed ?? details.restored,
    ]);

test('set without --expect says what it would change on how many devices, and changes nothing', async () => {
  const { code, stdout } = await run(
    'set',
    '--query',
    'tags:old',
    '--add-tag',
    'vip',
    '--custom',
    'seats=4',
    '--custom',
    'gone=',
    '--status',
    'maintenance',
  );
  expect([code, stdout]).toStrictEqual([
    0,
    'would add the tag vip, set seats=4, remove gone, set the status maintenance on 3 devices\nto do so, add --expect 3\n',
  ]);
  expect([await read(0), entries()]).toMatchObject([{ tags: ['old'], status: 'online' }, []]);
});

test('set changes devices with --expect, undo restores them, and both are audited', async () => {
  const set = await run(
    'set',
    '--query',
    'tags:old',
    '--add-tag',
    'vip',
    '--add-tag',
    'new',
    '--remove-tag',
    'old',
    '--custom',
    'seats=4',
    '--expect',
    '3',
  );
  expect(set.stdout).toMatch(
    /^changed 3 devices; 0 were so already\nundo within ten minutes: fleetsift device undo [0-9a-f-]{36}\n$/,
  );
  expect(await read(1)).toMatchObject({ tags: ['vip', 'new'], custom: new Map([['seats', 4]]) });
  const [operation = ''] = /[0-9a-f-]{36}/.exec(set.stdout) ?? [];
  expect(await run('undo', operation)).toMatchObject({ code: 0, stdout: 'gave back 3 devices; skipped 0\n' });
  expect(await read(1)).toMatchObject({ tags: ['old', 'vip'], custom: new Map() });
  expect(entries()).toStrictEqual([
    ['device.bulk_update', 'system', 'device set', 3],
    ['device.bulk_undo', 'system', 'device undo', 3],
  ]);
});

test('set takes ids, a saved filter by name, and one organization', async () => {
  const conditions = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };
  await loadFleet(backend, [
    aFilter({ orgId: tenant.orgId, createdBy: tenant.userId, name: 'Important', conditions }),
  ]);
  const count = async (...args: readonly string[]) =>
    /on (\d+) device/.exec((await run('set', ...args, '--status', 'offline')).stdout)?.[1];
  expect(await count('--ids', `${devices[0]?.id}, ${devices[2]?.id}`)).toBe('2');
  expect(await count('--filter', 'important')).toBe('1');
  expect(await count('--query', '', '--org', tenant.orgId)).toBe('2');
});

test.each<readonly [string, readonly string[], string]>([
  ['no restriction', ['--add-tag', 'x'], '--query, --filter or --ids: send exactly one of'],
  [
    'an empty change',
    ['--query', 'tags:old'],
    '--add-tag, --remove-tag, --custom or --status: change is empty',
  ],
  [
    'an unknown field',
    ['--query', 'tags:old', '--custom', 'seat=4', '--expect', '3'],
    '--custom: the device\'s organization has no custom field "seat"; did you mean seats?',
  ],
  [
    'a wrong value',
    ['--query', 'tags:old', '--custom', 'seats=four', '--expect', '3'],
    '--custom: change.custom.seats',
  ],
  ['a pair without a key', ['--query', 'tags:old', '--custom', '=4'], '--custom takes key=value, not "=4"'],
  ['a query with a fault', ['--query', 'tags:(', '--add-tag', 'x'], '--query: '],
  [
    'an --expect that differs from the number of matches',
    ['--query', 'tags:old', '--add-tag', 'x', '--expect', '2'],
    '3 devices match now, not 2; nothing was changed',
  ],
  [
    'an --expect that is no number',
    ['--query', 'tags:old', '--add-tag', 'x', '--expect', 'all'],
    '--expect: expectedCount must be',
  ],
])('set refuses %s', async (_, args, message) => {
  const { code, stderr } = await run('set', ...args);
  expect([code, stderr]).toStrictEqual([1, expect.stringContaining(message)]);
  expect(await read(0)).toMatchObject({ tags: ['old'] });
});

test('undo refuses an unknown operation', async () => {
  expect(await run('undo', tenant.orgId)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ten minutes'),
  });
  expect(await run('undo', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('OPERATION') });
});
