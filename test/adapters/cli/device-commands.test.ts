/** `device delete|merge|duplicates`, run on a backend in memory. */
import { tmpdir } from 'node:os';
import { beforeEach, expect, test } from 'vitest';
import { runProgram } from '#adapters/cli/program.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { aDevice, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;
let tenant: Tenant;
let kept: DeviceRecord;
let gone: DeviceRecord;

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend, 2);
  const { orgId } = tenant;
  kept = aDevice({ orgId, hostname: 'SRV-0008', hardware: { ...NO_HARDWARE, serialNumber: 'S-1' } });
  gone = aDevice({ orgId, hostname: 'srv-0008', displayName: 'Old laptop' });
  await loadFleet(backend, [kept, gone]);
});

const run = (...args: readonly string[]) =>
  captureOutput(() => runProgram(makeCliRuntime(backend, tmpdir()), ['device', ...args]));
const find = (id: DeviceRecord['id']) => backend.deviceReader.find(SYSTEM_SCOPE, id);
const lastEntry = () => {
  const { action, actor, resourceId, orgId, details } = backend.auditEntries().at(-1) ?? {};
  return { action, actor, resourceId, orgId, details };
};

test('delete removes a device and is audited with its name', async () => {
  expect(await run('delete', gone.id)).toMatchObject({ code: 0, stdout: 'deleted Old laptop\n' });
  expect(await find(gone.id)).toBeNull();
  expect(lastEntry()).toStrictEqual({
    ...{ action: 'device.delete', actor: { type: 'system', id: null }, resourceId: gone.id },
    ...{ orgId: tenant.orgId, details: { command: 'device delete', name: 'Old laptop' } },
  });
});

test('merge makes one device of two and is audited', async () => {
  expect(await run('merge', kept.id, gone.id)).toMatchObject({
    code: 0,
    stdout: 'merged; Old laptop is gone\n',
  });
  expect([await find(gone.id), (await find(kept.id))?.device.displayName]).toStrictEqual([
    null,
    'Old laptop',
  ]);
  expect(lastEntry()).toStrictEqual({
    ...{ action: 'device.merge', actor: { type: 'system', id: null }, resourceId: kept.id },
    orgId: tenant.orgId,
    details: { command: 'device merge', mergedId: gone.id, name: 'Old laptop' },
  });
});

test('merge of two different machines needs --force', async () => {
  const { orgId } = tenant;
  const other = aDevice({ orgId, hardware: { ...NO_HARDWARE, serialNumber: 'S-2' } });
  await loadFleet(backend, [other]);
  const refused = await run('merge', kept.id, other.id);
  expect([refused.code, refused.stderr]).toStrictEqual([1, expect.stringContaining('--force')]);
  expect(await find(other.id)).not.toBeNull();
  expect((await run('merge', kept.id, other.id, '--force')).code).toBe(0);
});

test.each([
  ['delete', 'nonsense'],
  ['delete', newId()],
  ['merge', newId(), newId()],
])('%s of an unknown device fails', async (...args) => {
  const refused = await run(...args);
  expect([refused.code, refused.stderr]).toStrictEqual([1, expect.stringContaining('no such device')]);
});

test('duplicates lists groups, as a table and as JSON', async () => {
  const listed = await run('duplicates');
  expect(listed.stdout).toMatch(/GROUP +DEVICE/);
  expect(listed.stdout).toContain(gone.id);
  expect(JSON.parse((await run('duplicates', '--json')).stdout)).toMatchObject([
    { devices: [{ id: kept.id }, { id: gone.id, displayName: 'Old laptop' }], because: ['hostname'] },
  ]);
  const elsewhere = await run('duplicates', '--org', tenant.orgIds[1] ?? '');
  expect([elsewhere.stdout, elsewhere.stderr]).toStrictEqual(['', 'no duplicates\n']);
});
