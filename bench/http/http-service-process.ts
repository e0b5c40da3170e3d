/**
 * The servers that HTTP is measured on, in a process of their own: the service as shipped, including its request log
 * (to a standard output that nobody reads), variants without some of its parts, and the floor: a bare handler that
 * does `select 1`.
 */

import { Hono } from 'hono';
import { Pool } from 'pg';
import { serveApp } from '#adapters/http/serve.ts';
import { type Composition, compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';
import type { ServedUrls } from './measure-http.ts';

/** The same number as the service has for previews. */
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
const floor = new Hono().get('/', async (c) => c.json((await pool.query('select 1 as one')).rows[0]));

const serve = (app: Pick<Composition['app'], 'fetch'>) => serveApp(app, { host: '127.0.0.1', port: 0 });
const servers = {
  service: await serve(service.app),
  withoutAudit: await serve(withoutAudit.app),
  floor: await serve(floor),
};
process.send?.({
  service: servers.service.url,
  withoutAudit: servers.withoutAudit.url,
  floor: servers.floor.url,
} satisfies ServedUrls);

process.once('disconnect', async () => {
  for (const server of Object.values(servers)) await server.close(0);
  await pool.end();
  await withoutAudit.close();
  await service.close();
});
