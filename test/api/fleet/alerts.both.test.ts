/** Alerts: found by text, counted, read, acknowledged and resolved (Contract: §10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startService, type TestService } from '#test/api/service/service.ts';
import { aDevice, anAlert, anApiKey, aUser, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ALERTS = '/api/v1/alerts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function newFleet() {
  const { backend } = service.composition;
  const { orgId } = await createTenant(backend);
  const of = (permissions: readonly string[]) =>
    aUser({ membership: { scope: 'organization', orgId }, permissions, name: 'Mara Ellingsen' });
  const [operator, reader] = [of(['devices:write', 'users:write']), of([])];
  const device = aDevice({ orgId, hostname: 'till-3', displayName: 'Till 3' });
  const full = anAlert({ orgId, deviceId: device.id, title: 'Disk full', createdAt: SOME_INSTANT });
  const slow = anAlert({ orgId, title: 'Slow', message: 'The DISK is slow', createdAt: SOME_INSTANT - 1 });
  const other = anAlert({ orgId, title: 'Memory', severity: 'info', createdAt: SOME_INSTANT - 2 });
  await loadFleet(backend, [operator, reader, device, full, slow, other]);
  const [asOperator, asReader] = [service.asUser(operator.id), service.asUser(reader.id)];
  return { orgId, operator, device, full, slow, other, asOperator, asReader };
}

test('alerts are found by text and counted', async () => {
  const { asReader, full, slow, other } = await newFleet();
  const ids = async (query: string) => {
    const { body } = await asReader('GET', `${ALERTS}?${query}`);
    const { data, totalCount } = body as { data: { id: string }[]; totalCount?: number };
    return [data.map(({ id }) => id), totalCount];
  };
  expect(await ids('search=%20disk%20')).toStrictEqual([[full.id, slow.id], undefined]);
  expect(await ids('search=disk&count=true')).toStrictEqual([[full.id, slow.id], 2]);
  expect(await ids('search=&count=true&limit=1')).toStrictEqual([[full.id], 3]);
  expect(await ids('count=true&severity=info')).toStrictEqual([[other.id], 1]);
  expect(await ids('count=false')).toStrictEqual([[full.id, slow.id, other.id], undefined]);
  expect(await ids('search=100%25&count=true')).toStrictEqual([[], 0]);
  const answer = await asReader('GET', `${ALERTS}?count=yes`);
  expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['count', 'invalid_value']]);
});

test('an alert is read with its device and organization', async () => {
  const { asReader, full, slow, device, orgId } = await newFleet();
  const { status, body } = await asReader('GET', `${ALERTS}/${full.id}`);
  expect([status, body]).toStrictEqual([
    200,
    {
      id: full.id,
      orgId,
      deviceId: device.id,
      deviceName: 'Till 3',
      title: 'Disk full',
      message: null,
      severity: 'critical',
      status: 'active',
      createdAt: new Date(SOME_INSTANT).toISOString(),
      device: { id: device.id, hostname: 'till-3' },
      organization: { id: orgId, name: expect.stringMatching(/^Contoso /) },
    },
  ]);
  expect((await asReader('GET', `${ALERTS}/${slow.id}`)).body).toMatchObject({ device: null });
});

test('an alert is acknowledged and reactivated, counted anew and audited', async () => {
  const { asOperator, operator, full, device, orgId } = await newFleet();
  const change = (status: unknown) => asOperator('PATCH', `${ALERTS}/${full.id}`, { status });
  const counts = async () => {
    const { body: row } = await asOperator('GET', `/api/v1/devices/${device.id}`);
    const { body: summary } = await asOperator('GET', '/api/v1/summary');
    const q = encodeURIComponent('alerts.critical:yes');
    const { body: list } = await asOperator('GET', `/api/v1/devices?q=${q}`);
    return [
      (row as { alertsCritical: boolean }).alertsCritical,
      (summary as { alerts: { critical: number } }).alerts.critical,
      (list as { totalCount: number }).totalCount,
    ];
  };
  expect(await counts()).toStrictEqual([true, 2, 1]);
  const done = await change('acknowledged');
  expect([done.status, done.body]).toMatchObject([
    200,
    { id: full.id, status: 'acknowledged', device: { hostname: 'till-3' }, organization: { id: orgId } },
  ]);
  expect(await counts()).toStrictEqual([false, 1, 0]);
  expect((await change('acknowledged')).status).toBe(200);
  expect((await change('active')).body).toMatchObject({ status: 'active' });
  expect(await counts()).toStrictEqual([true, 2, 1]);
  const log = await asOperator('GET', `/api/v1/admin/audit-log?resourceId=${full.id}`);
  const entry = { action: 'alert.update', result: 'success', resourceType: 'alert', orgId };
  expect((log.body as { data: unknown[] }).data).toMatchObject([
    { ...entry, details: { from: 'acknowledged', status: 'active' } },
    {
      ...entry,
      actor: { type: 'user', id: operator.id, name: 'Mara Ellingsen' },
      resourceName: 'Disk full',
      details: { from: 'active', status: 'acknowledged' },
    },
  ]);
});

test('an alert changes only within reach, with devices:write, to a known status', async () => {
  const { asOperator, asReader, full, operator } = await newFleet();
  const stranger = await newFleet();
  const patch = (by: typeof asOperator, id: string, body: unknown) => by('PATCH', `${ALERTS}/${id}`, body);
  expect(refusalOf(await patch(asReader, full.id, { status: 'resolved' }))).toStrictEqual([403, 'forbidden']);
  for (const body of [{ status: 'gone' }, { status: null }, { status: ['active'] }]) {
    expect(refusalOf(await patch(asOperator, full.id, body))).toStrictEqual([
      400,
      'validation_failed',
      ['status', 'invalid_value'],
    ]);
  }
  expect(refusalOf(await patch(asOperator, full.id, {}))).toStrictEqual([
    400,
    'validation_failed',
    ['status', 'value_required'],
  ]);
  for (const id of [newId(), 'nonsense', full.id]) {
    const by = id === full.id ? stranger.asOperator : asOperator;
    expect(refusalOf(await patch(by, id, { status: 'resolved' }))).toStrictEqual([404, 'not_found']);
    expect(refusalOf(await by('GET', `${ALERTS}/${id}`))).toStrictEqual([404, 'not_found']);
  }
  expect((await asOperator('GET', `${ALERTS}/${full.id}`)).body).toMatchObject({ status: 'active' });
  const key = anApiKey({ userId: operator.id, permissions: ['devices:write'] });
  await loadFleet(service.composition.backend, [key]);
  const byKey = await service.composition.app.request(`${ALERTS}/${full.id}`, {
    method: 'PATCH',
    headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: 'resolved' }),
  });
  expect(byKey.status).toBe(200);
  const { body } = await asOperator('GET', `/api/v1/admin/audit-log?resourceId=${full.id}`);
  const results = (body as { data: { result: string; actor: { name: string } }[] }).data;
  expect(results.map(({ result, actor }) => [result, actor.name])).toStrictEqual([
    ['success', 'Deployment'],
    ['denied', 'Mara Ellingsen'],
  ]);
});
