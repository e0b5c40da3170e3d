/**
 * Makes a real GLPI Agent report this machine in both documented ways, and shows what came in: by hand with `--server`,
 * and as a service that reads the server from its configuration. `GLPI_AGENT_DIR=<checkout of glpi-project/glpi-agent>
 * node test/scripts/report-by-agent.ts`; `RECORD=<file>` keeps the conversations, shortened and with other addresses. It
 * needs perl with the libraries that the agent names in its Makefile.PL; on Debian they are packages. CI does not run
 * this script, because it has no agent; it replays `test/fixtures/agents/conversations.json`. Exits with 1 if anything is
 * wrong.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { readDocument } from '#adapters/glpi/messages/message-reader.ts';
import { type Servable, serveApp } from '#adapters/http/serve.ts';
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

interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly document: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Categories that the report leaves out: what runs on the machine, and its people. */
const PRIVATE = 'environment,process,local_user,local_group,user,remote_mgmt,database';
const SAYS_WHO = ['user-agent', 'glpi-agent-id'];
/** The document that is being answered; an agent sends one at a time. */
let said = '';
const ignore = () => undefined;
const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

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
const service = await compose(
  { ...config, logLevel: 'info' },
  {
    backend,
    log,
    readMessage: (document, orgId) => {
      said = inflateSync(document.bytes).toString();
      return readDocument(document, orgId);
    },
  },
);
const { orgId } = await createTenant(backend);
const key = randomSecrets.enrolmentKey();
const keySha256 = randomSecrets.digest(key);
const summary = { id: newId<'enrolment-key'>(), orgId, siteId: null, name: 'Agent', expiresAt: null };
await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
  tx.enrolmentKeys.add({ ...summary, createdAt: Date.now(), keySha256 }),
);
const conversations: { way: string; exchanges: Exchange[] }[] = [];
const listening: Servable = {
  fetch: async (request, env) => {
    const response = await service.app.fetch(request, env);
    conversations.at(-1)?.exchanges.push({
      headers: Object.fromEntries([...request.headers].filter(([name]) => SAYS_WHO.includes(name))),
      document: said.startsWith('<') ? said : JSON.parse(said),
      status: response.status,
      answer: await response.clone().json(),
    });
    return response;
  },
};
const server = await serveApp(listening, { host: '127.0.0.1', port: 0 });
const state = await mkdtemp(join(tmpdir(), 'fleetsift-agent-'));
const url = `${server.url.replace('//', `//any:${key}@`)}/inventory`;
const problems: string[] = [];

interface Run {
  readonly way: string;
  readonly options: readonly string[];
  /** The documents that the agent sends, in order. */
  readonly sends: readonly string[];
  /** An agent that keeps running is stopped after as many requests. */
  readonly stopsAfter?: number;
}

const HELLO = ['prolog', 'contact', 'inventory'];
/** A restarted agent does not remember which tasks the server takes. After a contact without one, it asks again. */
const RUNS: readonly Run[] = [
  { way: 'by hand, for the first time', options: ['--server', url], sends: HELLO },
  { way: 'by hand, while no inventory is due', options: ['--server', url], sends: ['contact', 'prolog'] },
  { way: 'by hand, forced', options: ['--server', url, '--force'], sends: ['contact', 'inventory'] },
  { way: 'as a service', options: await serviceOptions(), sends: HELLO, stopsAfter: 3 },
];

try {
  for (const { way, options, sends, stopsAfter = Number.POSITIVE_INFINITY } of RUNS) {
    const exchanges: Exchange[] = [];
    conversations.push({ way, exchanges });
    const startedAt = Date.now();
    // The service is another agent, with its own state.
    const vardir = join(state, stopsAfter === Number.POSITIVE_INFINITY ? 'hand' : 'service');
    await mkdir(vardir, { recursive: true });
    const output = await runAgent(
      agentDir,
      [...options, `--vardir=${vardir}`],
      () => exchanges.length >= stopsAfter,
    );
    const lines = output.split('\n').filter((line) => /^\[info\]|Full inventory|next run/.test(line));
    const sent = exchanges.map(({ document }) => nameOf(document));
    process.stdout.write(`${way}\n  ${[...sent, ...lines].join('\n  ')}\n`);
    const isHere = devicesIn().some(
      ({ status, lastSeenAt }) => status === 'online' && (lastSeenAt ?? 0) >= startedAt,
    );
    if (!isHere) {
      problems.push(`${way}: no device is online as of now\n${output}`);
    }
    if (exchanges.some(({ status }) => status !== 200) || `${sent}` !== `${sends}`) {
      problems.push(`${way}: the agent sent ${sent}, not ${sends}, or was refused\n${output}`);
    }
  }
  const [device] = devicesIn();
  const { software = [], ...facts } = device ?? {};
  process.stdout.write(`${JSON.stringify({ ...facts, software: software.length }, null, 2)}\n`);
  const { RECORD } = process.env;
  if (RECORD !== undefined) await writeFile(RECORD, `${recordable()}\n`);
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

/** Configures the agent as its packages do, with one more file in `conf.d`. */
async function serviceOptions(): Promise<readonly string[]> {
  await mkdir(join(state, 'conf.d'));
  await writeFile(join(state, 'agent.cfg'), 'include "conf.d/"\n');
  await writeFile(join(state, 'conf.d', 'fleetsift.cfg'), `server = ${url}\n`);
  return [`--conf-file=${join(state, 'agent.cfg')}`, '--daemon', '--no-fork', '--no-httpd', '--delaytime=1'];
}

function nameOf(document: unknown): string {
  return typeof document === 'string' ? 'prolog' : String((document as { action: unknown }).action);
}

/** The conversations without private data, and with only the first entries of long lists. */
function recordable(): string {
  const known = new Map<string, string>();
  const replaced = (address: string, make: (n: number) => string) => {
    if (!known.has(address)) known.set(address, make(known.size + 1));
    return known.get(address) as string;
  };
  const shorten = (name: string, value: unknown) => {
    if (['versionprovider', 'dns', 'defaultgateway'].includes(name)) return;
    return name === 'softwares' && Array.isArray(value) ? value.slice(0, 3) : value;
  };
  return JSON.stringify(conversations, shorten, 2)
    .replaceAll(/\b(?!00:00:00:00:00:00)[\da-f]{2}(?::[\da-f]{2}){5}\b/g, (mac) =>
      replaced(mac, (n) => `00:00:5e:00:53:${String(n).padStart(2, '0')}`),
    )
    .replaceAll(/\b(?!127\.|255\.|0\.)\d+(?:\.\d+){3}\b/g, (ip) => replaced(ip, (n) => `192.0.2.${n}`));
}

async function runAgent(
  directory: string,
  options: readonly string[],
  isOver: () => boolean,
): Promise<string> {
  const always = [
    '-I',
    join(directory, 'lib'),
    join(directory, 'bin/glpi-agent'),
    '--logger=stderr',
    '--debug',
  ];
  const agent = spawn('perl', [...always, '--tasks=inventory', `--no-category=${PRIVATE}`, ...options], {
    cwd: join(directory, 'bin'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const timer = setInterval(() => {
    if (isOver()) agent.kill('SIGTERM');
  }, 500);
  const [output] = await Promise.all([readAll(agent.stderr), once(agent, 'close')]);
  clearInterval(timer);
  return output;
}
