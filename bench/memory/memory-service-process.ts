/** The service as shipped, in a separate process that reports its memory on request. */
import { serveApp } from '#adapters/http/serve.ts';
import { compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';

const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) throw new Error('the connection string of the database is missing');

const service = await compose({ ...SERVICE_CONFIG, databaseUrl, logLevel: 'info' });
const server = await serveApp(service.app, { host: '127.0.0.1', port: 0 });
process.on('message', () => process.send?.(process.memoryUsage.rss()));
process.send?.(server.url);

process.once('disconnect', async () => {
  await server.close(0);
  await service.close();
});
