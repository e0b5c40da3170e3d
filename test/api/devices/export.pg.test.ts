/** Exports over HTTP with a database that fails midway, and with slow clients. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RunningServer, serveApp } from '#adapters/http/serve.ts';
import { databaseOf, type NewOrg, startService, type TestService } from '#test/api/service/service.ts';
import { aDevice } from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';

const DEVICES = 4_000;

let service: TestService;
let org: NewOrg;
const started: RunningServer[] = [];

beforeAll(async () => {
  service = await startService();
  org = await service.inNewOrg((orgId) =>
    // The export is larger than the buffers of a connection.
    Array.from({ length: DEVICES }, () => aDevice({ orgId, displayName: 'x'.repeat(4_000) })),
  );
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});
afterAll(() => service.close());

/** Starts an export of everything, whose body nobody has read yet. */
async function beginExport(requestId: string, limits = {}): Promise<IncomingMessage> {
  const server = await serveApp(service.composition.app, { host: '127.0.0.1', port: 0, limits });
  started.push(server);
  const asking = request(`${server.url}/api/v1/devices/export`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await service.issueToken(org.userId)}`,
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
    },
  });
  asking.on('error', () => undefined);
  asking.end(JSON.stringify({ format: 'csv', fields: ['id', 'displayName'] }));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** The database processes that exports run in. */
async function backends(): Promise<readonly { readonly pid: number; readonly state: string }[]> {
  const { rows } = await databaseOf(service).owner.query<{ pid: number; state: string }>(
    `select pid, state from pg_stat_activity
      where datname = current_database() and application_name like 'fleetsift export %'`,
  );
  return rows;
}

const open = async () => (await backends()).filter(({ state }) => state !== 'idle');

async function resultOf(requestId: string) {
  const entries = await service.probe.auditEntries();
  return entries
    .filter((entry) => entry.requestId === requestId)
    .map(({ result, details }) => [result, details.reason]);
}

test('a database that fails midway breaks the connection, and the export is audited as failed', async () => {
  const response = await beginExport('export-broken');
  const [{ pid } = { pid: 0 }] = await open();
  await databaseOf(service).owner.query('select pg_terminate_backend($1)', [pid]);
  let length = 0;
  const taking = (async () => {
    for await (const chunk of response as AsyncIterable<Buffer>) length += chunk.length;
  })();
  await expect(taking).rejects.toThrow('aborted');
  expect(length).toBeLessThan(DEVICES * 4_000);
  await until(async () => (await resultOf('export-broken')).length > 0);
  expect(await resultOf('export-broken')).toStrictEqual([['denied', 'failed']]);
});

test('a client that reads nothing holds a snapshot only until it is cut off', async () => {
  const response = await beginExport('export-stalled', { stallMs: 500 });
  response.pause();
  response.on('error', () => undefined);
  expect(await open()).toHaveLength(1);
  await until(async () => (await open()).length === 0);
  await until(async () => (await resultOf('export-stalled')).length > 0);
  expect(await resultOf('export-stalled')).toStrictEqual([['denied', 'cancelled']]);
});

test('a client that hangs up frees the connection to the database', async () => {
  const response = await beginExport('export-gone');
  response.on('error', () => undefined);
  expect(await open()).toHaveLength(1);
  response.destroy();
  await until(async () => (await open()).length === 0);
});

test('an export completes while another client is slow', async () => {
  const response = await beginExport('export-slow');
  const answer = await org.ask('POST', '/api/v1/devices/export', { format: 'csv', fields: ['id'] });
  expect(answer.text.split('\r\n')).toHaveLength(DEVICES + 2);
  response.on('error', () => undefined);
  response.destroy();
  await until(async () => (await open()).length === 0);
});
