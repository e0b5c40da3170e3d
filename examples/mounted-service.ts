/** Mounts the service below a path of another application. */
import { compose, readLoadFile } from 'fleetsift';
import { serveApp } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';
import { Hono } from 'hono';

const service = await compose({ databaseUrl: null, logLevel: 'silent' }, { backend: createMemoryBackend() });
const loaded = await service.backend.fleetWriter(
  readLoadFile(new URL('fleet.json', import.meta.url).pathname),
);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));

const app = new Hono();
app.get('/hello', (c) => c.text('hello from the application around it'));
// Limits and the audit log need the client's address, so the socket is passed on.
app.mount('/fleet', service.app.fetch, (c) => c.env);

const server = await serveApp(app, { host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });
console.log(`listening at ${server.url}`);

process.once('SIGTERM', async () => {
  service.stopBeingReady();
  await server.close(10_000);
  await service.close();
});
