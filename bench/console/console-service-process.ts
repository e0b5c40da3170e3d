/** The service with its console, as shipped, in a separate process. */
import { serveApp } from '#adapters/http/serve.ts';
import { ensureConsole } from '#adapters/web/build/build-console.ts';
import { openConsoleFiles } from '#adapters/web/serve/console-files.ts';
import { compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';

const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) throw new Error('the connection string of the database is missing');

const hostPages = { incidents: null, remoteAccess: null, vulnerabilities: null };
const pages = await openConsoleFiles(await ensureConsole(() => undefined), { hostPages, basePath: '' });
const service = await compose({
  ...SERVICE_CONFIG,
  databaseUrl,
  logLevel: 'info',
  findPages: () => pages,
});
const server = await serveApp(service.app, { host: '127.0.0.1', port: 0 });
process.send?.(server.url);

process.once('disconnect', async () => {
  await server.close(0);
  await service.close();
});
