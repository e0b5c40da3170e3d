/** `fleetsift watch` on a backend in memory. The tests evaluate memberships in place of a worker. */
import { beforeEach, expect, test, vi } from 'vitest';
import { runProgram } from '#adapters/cli/program.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import {
  aDevice,
  aSavedFilter,
  aSubscription,
  fixedClock,
  ONLINE_CONDITIONS,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;
let tenant: Tenant;
let till: DeviceRecord;
let filter: ReturnType<typeof aSavedFilter>;

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend);
  till = aDevice({ orgId: tenant.orgId, hostname: 'till\n7', status: 'offline' });
  await loadFleet(backend, [till]);
  const conditionsJson = JSON.stringify(ONLINE_CONDITIONS);
  filter = aSavedFilter({ orgId: tenant.orgId, createdBy: tenant.userId, name: 'Online', conditionsJson });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
});

async function evaluate(): Promise<void> {
  const { memberships } = backend;
  const clock = fixedClock();
  await makeEvaluateMemberships({ memberships, translatePattern, clock })(tenant.partnerId);
}

/** Runs the command, waits until it watches, and stops it as Ctrl-C does once it has printed something. */
async function watched(args: readonly string[], meanwhile: () => Promise<void>) {
  let hasPrinted = false;
  const listeners = process.listenerCount('SIGINT');
  const running = captureOutput(() =>
    runProgram(makeCliRuntime(backend, '/nowhere'), ['watch', 'Online', ...args]),
  ).finally(() => {
    hasPrinted = true;
  });
  const write = vi.mocked(process.stdout.write);
  await vi.waitFor(() => expect(process.listenerCount('SIGINT')).toBeGreaterThan(listeners + 1));
  await vi.waitFor(async () => {
    expect(await backend.subscriptions.list(SYSTEM_SCOPE, filter.id)).not.toStrictEqual([]);
  });
  await evaluate();
  await vi.waitFor(() => expect(vi.mocked(process.stderr.write)).toHaveBeenCalled(), { timeout: 10_000 });
  const during = await backend.subscriptions.list(SYSTEM_SCOPE, filter.id);
  await meanwhile();
  await vi.waitFor(() => expect(hasPrinted || write.mock.calls.length > 0).toBe(true), { timeout: 10_000 });
  process.emit('SIGINT', 'SIGINT');
  return { ...(await running), during };
}

const comeOnline = async () => {
  await loadFleet(backend, [{ ...till, status: 'online' }]);
  await evaluate();
};

test('watch prints changes until it is stopped, and keeps a subscription meanwhile', async () => {
  const { code, stdout, stderr, during } = await watched([], comeOnline);
  expect(stdout).toMatch(/^\S.* {2}entered {2}till\\u000a7 {2}\(device\)\n$/);
  expect([code, stderr]).toStrictEqual([0, 'watching; stop with Ctrl-C\n']);
  expect(during.map(({ name, state }) => [name, state])).toStrictEqual([['fleetsift watch', 'active']]);
  expect(await backend.subscriptions.list(SYSTEM_SCOPE, filter.id)).toStrictEqual([]);
});

test('watch --json prints JSON, and leaves other subscriptions alone', async () => {
  const other = aSubscription({ orgId: tenant.orgId, filterId: filter.id });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.subscriptions.add(other));
  const { stdout, during } = await watched(['--json'], comeOnline);
  expect(JSON.parse(stdout)).toStrictEqual({
    ...{ seq: 1, at: expect.stringMatching(/Z$/), type: 'entered', deviceId: till.id },
    ...{ hostname: 'till\n7', cause: 'device', filterVersion: 1 },
  });
  expect(during).toStrictEqual([other]);
  expect(await backend.subscriptions.list(SYSTEM_SCOPE, filter.id)).toStrictEqual([other]);
});
