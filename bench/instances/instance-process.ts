/**
 * One of several instances: the service as shipped with its part of the connections, and the floor, a bare handler that
 * does `select 1`. Only one of both is loaded at a time.
 */
import { Hono } from 'hono';
import { Pool } from 'pg';
import { serveApp } from '#adapters/http/serve.ts';
import { poolSizes } from '#adapters/postgres/setup/connections/pool-sizes.ts';
import { compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';
import type { InstanceUrls } from './measure-instances.ts';

const [databaseUrl, connections] = process.argv.slice(2);
if (databaseUrl === undefined || connections === undefined) {
  throw new Error('the connection string of the database and a number of connections are missing');
}

const databaseConnections = Number(connections);
const service = await compose({ ...SERVICE_CONFIG, databaseUrl, databaseConnections, logLevel: 'info' });
/** As many as the service has for previews. */
const pool = new Pool({ connectionString: databaseUrl, max: poolSizes(databaseConnections).evaluation });
const floor = new Hono().get('/', async (c) => c.json((await pool.query('select 1 as one')).rows[0]));

const servers = {
  service: await serveApp(service.app, { host: '127.0.0.1', port: 0 }),
  floor: await serveApp(floor, { host: '127.0.0.1', port: 0 }),
};
process.send?.({ service: servers.service.url, floor: servers.floor.url } satisfies InstanceUrls);

process.once('disconnect', async () => {
  for (const server of Object.values(servers)) await server.close(0);
  await pool.end();
  await service.close();
});
