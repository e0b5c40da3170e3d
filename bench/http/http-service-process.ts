/**
 * The measured servers: the service as shipped, with its request log; the service without audit log; and two floors,
 * bare handlers that do `select 1`, one of which also waits for a row on disk.
 */
import { Hono } from 'hono';
import { Pool } from 'pg';
import { serveApp } from '#adapters/http/serve.ts';
import { type Composition, compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';
import { makeInsertLine } from './grouped-inserts.ts';
import type { ServedUrls } from './measure-http.ts';

/** As many as the service has for previews. */
const FLOOR_POOL_SIZE = 8;

const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) throw new Error('the connection string of the database is missing');

const service = await compose({ ...SERVICE_CONFIG, databaseUrl, logLevel: 'info' });
const { backend } = service;
const withoutAudit = await compose(
  { ...SERVICE_CONFIG, databaseUrl, logLevel: 'info' },
  { backend: { ...backend, auditLog: async () => undefined } },
);
const pool = new Pool({ connectionString: databaseUrl, max: FLOOR_POOL_SIZE });
const selectOne = async () => (await pool.query('select 1 as one')).rows[0];
const floor = new Hono().get('/', async (c) => c.json(await selectOne()));
// A commit must not wait behind reads.
const insertPool = new Pool({ connectionString: databaseUrl, max: 1 });
const insertLine = makeInsertLine(insertPool);
const durableFloor = new Hono().get('/', async (c) => {
  const one = await selectOne();
  await insertLine('a line');
  return c.json(one);
});

const serve = (app: Pick<Composition['app'], 'fetch'>) => serveApp(app, { host: '127.0.0.1', port: 0 });
const servers = {
  service: await serve(service.app),
  withoutAudit: await serve(withoutAudit.app),
  floor: await serve(floor),
  durableFloor: await serve(durableFloor),
};
process.send?.({
  service: servers.service.url,
  withoutAudit: servers.withoutAudit.url,
  floor: servers.floor.url,
  durableFloor: servers.durableFloor.url,
} satisfies ServedUrls);

process.once('disconnect', async () => {
  for (const server of Object.values(servers)) await server.close(0);
  await pool.end();
  await insertPool.end();
  await withoutAudit.close();
  await service.close();
});
