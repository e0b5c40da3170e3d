/** A webhook whose name changes its address, in a service that reaches public addresses only (Contract: §17). */
import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { DeliveryShape } from '#adapters/http/live/live-shapes.ts';
import { FILTERS, filterOf, startService } from '#test/api/service/service.ts';
import { aDevice, aUser, movableClock } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const HOST = 'rebound.example';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The name is unknown at first, and then leads to this machine. */
function resolveToLoopback(): () => number {
  let looks = 0;
  const look = (_name: string, _options: object, done: (...result: readonly unknown[]) => void) => {
    if (looks++ === 0) done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    else done(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(look as unknown as typeof dns.lookup);
  syncBuiltinESMExports();
  return () => looks;
}

test('the service does not connect to a name that resolves to loopback on the second look', async () => {
  let connections = 0;
  const local = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(local, 'listening');
  const looks = resolveToLoopback();
  const { clock, moveTo } = movableClock();
  const service = await startService({ backend: 'memory', overrides: { clock } });
  const worker = service.composition.startWorker({
    ...{ baseUrl: 'https://fleet.example', intervalMs: 50 },
    sendMail: async () => ({ result: 'sent' }),
  });
  try {
    const { orgId } = await service.inNewOrg(() => []);
    const editor = aUser({ membership: { scope: 'organization', orgId }, permissions: ['devices:write'] });
    await loadFleet(service.composition.backend, [editor]);
    const ask = service.asUser(editor.id);
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }],
    };
    const filterId = filterOf(await ask('POST', FILTERS, { name: 'VIP', conditions })).id;
    const url = `https://${HOST}:${(local.address() as AddressInfo).port}/hook`;
    const sent = { filterId, name: 'Engine', kind: 'webhook', url };
    const { id } = (await ask('POST', '/api/v1/subscriptions', sent)).body as { readonly id: string };
    await expect
      .poll(async () => (await ask('GET', `/api/v1/subscriptions/${id}/changes`)).status, { timeout: 10_000 })
      .toBe(200);
    await loadFleet(service.composition.backend, [aDevice({ orgId, tags: ['vip'] })]);
    const errors = async () => {
      const { body } = await ask('GET', `/api/v1/subscriptions/${id}/deliveries`);
      return (body as { readonly data: readonly DeliveryShape[] }).data.map(({ error }) => error);
    };
    await expect.poll(errors, { timeout: 10_000 }).toStrictEqual(['it could not be reached']);
    moveTo(clock() + 5_000);
    await expect
      .poll(errors, { timeout: 10_000 })
      .toStrictEqual(['its name leads to an address of a private network']);
    expect([looks(), connections]).toStrictEqual([2, 0]);
  } finally {
    await worker.stop(10_000);
    await service.close();
    local.close();
  }
});
