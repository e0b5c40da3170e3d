/** Mounts the service below a path of a Fastify application. */
import Fastify from 'fastify';
import { compose, readLoadFile } from 'fleetsift';
import { getRequestListener } from 'fleetsift/http';
import { createMemoryBackend } from 'fleetsift/memory';

// Fastify leaves the path in the address, so the service has to know it.
const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:3000/fleet';
const service = await compose(
  { databaseUrl: null, baseUrl, logLevel: 'silent' },
  { backend: createMemoryBackend() },
);
const loaded = await service.backend.fleetWriter(
  readLoadFile(new URL('fleet.json', import.meta.url).pathname),
);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
const listener = getRequestListener(service.app.fetch);

const app = Fastify();
app.get('/hello', async () => 'hello from Fastify');
await app.register(
  (scope, _options, done) => {
    // The service reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
    scope.all('/*', (request, reply) => {
      reply.hijack();
      void listener(request.raw, reply.raw);
    });
    done();
  },
  { prefix: new URL(baseUrl).pathname },
);

const url = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });
console.log(`listening at ${url}`);

process.once('SIGTERM', async () => {
  service.stopBeingReady();
  await app.close();
  await service.close();
});
