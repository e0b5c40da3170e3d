/** Mounts the service below a path of an Express application. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { compose, readLoadFile } from 'fleetsift';
import { getRequestListener } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';

const service = await compose({ databaseUrl: null, logLevel: 'silent' }, { backend: createMemoryBackend() });
const loaded = await service.backend.fleetWriter(
  readLoadFile(new URL('fleet.json', import.meta.url).pathname),
);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));

const app = express();
// Before any parser of bodies, because the service reads them itself.
app.use('/fleet', getRequestListener(service.app.fetch));
app.use(express.json());
app.get('/hello', (_request, response) => void response.send('hello from Express'));

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
await once(server, 'listening');
console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`);

process.once('SIGTERM', () => {
  service.stopBeingReady();
  server.close(() => void service.close());
});
