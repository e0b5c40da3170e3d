/** Reports that race with each other, with the revocation of their key, and with a load. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '#test/api/service/service.ts';
import { aDevice, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { addReporter, devicesOf, type Reporter, realInventory, startAgentService } from './agents.ts';

let service: TestService;

beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

const enrolments = async ({ orgId }: Reporter) =>
  (await service.probe.auditEntries()).filter(
    ({ action, orgId: concerned }) => action === 'device.enrolled' && concerned === orgId,
  );

test('ten first reports of one machine at once make one device, enrolled once', async () => {
  const reporter = await addReporter(service);
  const answers = await Promise.all(Array.from({ length: 10 }, () => reporter.report(realInventory())));
  expect(answers.map(({ body }) => body)).toStrictEqual(answers.map(() => ({ status: 'ok' })));
  expect(await devicesOf(service, reporter)).toHaveLength(1);
  expect(await enrolments(reporter)).toHaveLength(1);
});

test('ten machines that report at once make ten devices', async () => {
  const reporter = await addReporter(service);
  const reports = Array.from({ length: 10 }, (_, i) => {
    const inventory = realInventory();
    const content = { ...inventory.content, bios: { ssn: `SERIAL-${i}` }, networks: [] };
    return reporter.report({ ...inventory, deviceid: `machine-${i}`, content });
  });
  expect((await Promise.all(reports)).map(({ status }) => status)).toStrictEqual(reports.map(() => 200));
  expect(await devicesOf(service, reporter)).toHaveLength(10);
  expect(await enrolments(reporter)).toHaveLength(10);
});

test('a report during the revocation of its key is stored if it is 200, and not if it is 401', async () => {
  const { backend } = service.composition;
  for (let round = 0; round < 5; round++) {
    const reporter = await addReporter(service);
    await reporter.report({ action: 'contact', deviceid: 'a' });
    const report = reporter.report(realInventory());
    const revoke = backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.enrolmentKeys.revoke(reporter.keyId, Date.now()),
    );
    const [{ status }] = await Promise.all([report, revoke]);
    expect([200, 401]).toContain(status);
    expect(await devicesOf(service, reporter)).toHaveLength(status === 200 ? 1 : 0);
    expect((await reporter.report(realInventory())).status).toBe(401);
  }
});

test('a report and a load of the same device at once leave one device, with both', async () => {
  for (let round = 0; round < 5; round++) {
    const reporter = await addReporter(service);
    await reporter.report(realInventory());
    const [device] = await devicesOf(service, reporter);
    const loaded = aDevice({ orgId: reporter.orgId, hostname: 'loaded', displayName: 'Front desk' });
    const record = { ...loaded, id: device?.id as typeof loaded.id };
    const [answer] = await Promise.all([
      reporter.report(realInventory()),
      loadFleet(service.composition.backend, [record]),
    ]);
    expect(answer.body).toStrictEqual({ status: 'ok' });
    const after = await devicesOf(service, reporter);
    expect(after).toMatchObject([{ id: device?.id, displayName: 'Front desk' }]);
    expect(['loaded', 'glpixps']).toContain(after[0]?.hostname);
  }
});
