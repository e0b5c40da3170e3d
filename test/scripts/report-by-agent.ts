/**
 * Has a real GLPI Agent report this machine twice, and shows what came in: `GLPI_AGENT_DIR=<checkout of
 * glpi-project/glpi-agent> node test/scripts/report-by-agent.ts`. It needs perl with the libraries that the agent
 * names in its Makefile.PL; on Debian they are packages. Not a test of the gate, which has no agent; the conversations
 * that it recorded are in `test/fixtures/agents`. Exits with 1 if anything is not as it should be.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { serveApp } from '#adapters/http/serve.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Log } from '#application/ports/log.ts';
import { newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';
import { compose } from '../../src/main.ts';

const agentDir = process.env.GLPI_AGENT_DIR;
if (agentDir === undefined) {
  process.stderr.write('GLPI_AGENT_DIR must name a checkout of glpi-project/glpi-agent\n');
  process.exit(1);
}

const requests: string[] = [];
const note = (facts: object) => {
  const { method, route, status } = facts as Readonly<Record<string, unknown>>;
  if (method !== undefined) requests.push(`${method} ${route} ${status}`);
};
const log: Log = { debug: note, info: note, warn: note, error: note };

const world = makeWorld();
const backend = createMemoryBackend({
  world,
  clock: Date.now,
  newId,
  hashPassword: async () => 'none',
  digestSecret: randomSecrets.digest,
  translatePattern,
});
const config = { databaseUrl: null, migrate: false, filterTimeoutMs: 10_000, trustedProxies: [] };
const service = await compose({ ...config, logLevel: 'info' }, { backend, log });
const { orgId } = await createTenant(backend);
const key = randomSecrets.enrolmentKey();
const keySha256 = randomSecrets.digest(key);
const summary = { id: newId<'enrolment-key'>(), orgId, siteId: null, name: 'Agent', expiresAt: null };
await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
  tx.enrolmentKeys.add({ ...summary, createdAt: Date.now(), keySha256 }),
);
const server = await serveApp(service.app, { host: '127.0.0.1', port: 0 });
const state = await mkdtemp(join(tmpdir(), 'fleetsift-agent-'));
const problems: string[] = [];
try {
  for (const run of [1, 2]) {
    requests.length = 0;
    const output = await runAgent(agentDir, `${server.url.replace('//', `//any:${key}@`)}/inventory`);
    const devices = devicesIn();
    const said = output.split('\n').filter((line) => /^\[info\]|Full inventory/.test(line));
    process.stdout.write(`run ${run}\n  ${[...requests, ...said].join('\n  ')}\n`);
    if (devices.length !== 1 || devices[0]?.status !== 'online') {
      problems.push(`run ${run}: there are ${devices.length} devices, not one that is online\n${output}`);
    }
    if (requests.length < 2 || requests.some((request) => !request.endsWith(' 200'))) {
      problems.push(`run ${run}: not every request was answered 200\n${output}`);
    }
  }
  const [device] = devicesIn();
  const { software = [], ...facts } = device ?? {};
  process.stdout.write(`${JSON.stringify({ ...facts, software: software.length }, null, 2)}\n`);
} finally {
  await server.close(1_000);
  await service.close();
  await rm(state, { recursive: true });
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function devicesIn() {
  return [...world.devices.snapshot([orgId])];
}

async function runAgent(directory: string, url: string): Promise<string> {
  const options = ['--logger=stderr', '--debug', '--tasks=inventory', '--force', `--vardir=${state}`];
  const libraries = ['-I', join(directory, 'lib')];
  const agent = spawn(
    'perl',
    [...libraries, join(directory, 'bin/glpi-agent'), '--server', url, ...options],
    {
      cwd: join(directory, 'bin'),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [output] = await Promise.all([readAll(agent.stderr), once(agent, 'close')]);
  return output;
}
