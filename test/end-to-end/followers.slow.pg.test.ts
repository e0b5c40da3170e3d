/** The examples that follow a filter, as processes that are killed at every step, and restored from backups. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, serveApp } from '#adapters/http/serve.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import { FILTERS, filterOf, type NewOrg, startService, type TestService } from '#test/api/service/service.ts';
import { aCustomField, aDevice, anApiKey, aUser, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { COMPILED_MODULES } from '#test/support/compiled-modules.ts';
import { until } from '#test/support/database/until.ts';
import { loadFleet } from '#test/support/tenant.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const IS_VIP = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };

/** More steps than one round of a follower has, from the start to the next wait. */
const STEPS = 16;

let service: TestService;
let server: RunningServer;
let org: NewOrg;
/** Asks as a user with devices:write. */
let ask: NewOrg['ask'];
let filterId: string;
let key: string;
let directory: string;
let target: Target;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  service = await startService();
  server = await serveApp(service.composition.app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close(0);
  await service.close();
});
beforeEach(async () => {
  org = await service.inNewOrg(() => []);
  const membership = { scope: 'organization', orgId: org.orgId } as const;
  const editor = aUser({ membership, permissions: ['devices:write'] });
  const record = anApiKey({ userId: editor.id, permissions: ['devices:write'] });
  await load(editor, record);
  key = record.key;
  ask = service.asUser(editor.id);
  filterId = filterOf(await ask('POST', FILTERS, { name: 'VIP', conditions: IS_VIP })).id;
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-follower-'));
  target = await serveTarget();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  target.close();
  await rm(directory, { recursive: true });
});

const load = (...records: FleetRecord[]) => loadFleet(service.composition.backend, records);

/** If there is a subscription, its feed has the change before this returns. */
async function change(...records: FleetRecord[]): Promise<void> {
  await load(...records);
  await evaluate();
}

async function evaluate(): Promise<void> {
  const { backend, clock } = service.composition;
  await makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock })(org.partnerId);
}

const device = (hostname: string, isMember = true) =>
  aDevice({ orgId: org.orgId, hostname, tags: isMember ? ['vip'] : [] });

/** The other system, which outlives the follower. */
interface Target {
  readonly url: string;
  readonly ids: Set<string>;
  isDown: boolean;
  close(): void;
}

async function serveTarget(): Promise<Target> {
  const ids = new Set<string>();
  const http = createServer(({ method, url = '' }, response) => {
    if (served.isDown) return void response.writeHead(503).end();
    const id = url.split('/').at(-1) ?? '';
    if (method === 'PUT') ids.add(id);
    if (method === 'DELETE') ids.delete(id);
    response.end(method === 'GET' ? JSON.stringify([...ids]) : '');
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const served = { url: `http://127.0.0.1:${port}`, ids, isDown: false, close: () => void http.close() };
  return served;
}

const stateFile = () => join(directory, 'state.json');

interface Follower {
  readonly said: () => string;
  readonly exited: Promise<unknown>;
  kill(): Promise<void>;
}

function start(example: string, killAt?: number): Follower {
  const child = spawn(
    process.execPath,
    [
      ...[
        '--conditions=fleetsift-source',
        '--import',
        join(ROOT, 'test/end-to-end/fixtures/kill-at-step.ts'),
      ],
      join(ROOT, 'examples', example),
    ],
    {
      cwd: directory,
      env: {
        ...{ PATH: process.env.PATH, ...COMPILED_MODULES },
        ...{ FLEETSIFT_URL: server.url, FLEETSIFT_KEY: key, FILTER: filterId, STATE_FILE: stateFile() },
        ...{ GROUP_URL: target.url, INSTALLER_URL: target.url },
        ...(killAt !== undefined && { KILL_AT: String(killAt) }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { said: () => said, exited, kill };
}

const has = (...devices: readonly { readonly id: string }[]) =>
  until(async () => devices.every(({ id }) => target.ids.has(id)));
const lacks = (...devices: readonly { readonly id: string }[]) =>
  until(async () => devices.every(({ id }) => !target.ids.has(id)));

/** Starts a follower, and evaluates the filter until the follower has its members. */
async function startFollowing(example: string, members: number): Promise<Follower> {
  const follower = start(example);
  await until(async () => {
    await evaluate();
    return new RegExp(`(members|compared) ${members}\n`).test(follower.said());
  });
  return follower;
}

describe.each(['sync-group.ts', 'deployment-engine.ts'])('%s', (example) => {
  test('misses nothing when it is killed at any step', async () => {
    const kept: DeviceRecord[] = [];
    const enter = async (hostname: string) => {
      kept.push(device(hostname));
      await change(...kept.slice(-1));
    };
    const killAtEachStep = async (phase: string, beforeEach: () => Promise<unknown>) => {
      for (let at = 1; at <= STEPS; at++) {
        await beforeEach();
        const leaving = device(`leaving-${phase}-${at}`);
        await change(leaving);
        await enter(`entering-${phase}-${at}`);
        const killed = start(example, at);
        let isOver = false;
        void killed.exited.then(() => {
          isOver = true;
        });
        // A follower that waits gets something to do.
        for (let other = 0; !isOver; other++) {
          await Promise.race([killed.exited, setTimeout(1_000)]);
          await enter(`other-${phase}-${at}-${other}`);
        }
        await change({ ...leaving, tags: [] });
      }
    };
    await killAtEachStep('new', () => rm(stateFile(), { force: true }));
    const first = start(example);
    await has(...kept);
    await until(async () => existsSync(stateFile()));
    await first.kill();
    await killAtEachStep('known', async () => undefined);
    start(example);
    await enter('last');
    await has(...kept);
    if (example === 'sync-group.ts') {
      await until(async () => target.ids.size === kept.length);
      expect([...target.ids].sort()).toStrictEqual(kept.map(({ id }) => id).sort());
    }
  });

  test('catches up after it was restored from a backup', async () => {
    const [one, two, three] = [device('one'), device('two'), device('three')];
    await load(one, two);
    const first = await startFollowing(example, 2);
    await has(one, two);
    // The follower tells the target before it saves its position.
    await until(async () => existsSync(stateFile()));
    await first.kill();
    const backup = join(directory, 'backup.json');
    await copyFile(stateFile(), backup);

    const second = start(example);
    await change(three, { ...one, tags: [] });
    await has(three);
    await second.kill();

    await copyFile(backup, stateFile());
    const restored = start(example);
    const four = device('four');
    await change(four);
    await has(two, three, four);
    if (example === 'sync-group.ts') await lacks(one);
    await restored.kill();

    // The changes since the backup are forgotten, and with them that the third device was ever a member.
    await change({ ...three, tags: [] });
    await service.composition.backend.memberships.forget(service.composition.clock() + 60_000, 0);
    await copyFile(backup, stateFile());
    const late = start(example);
    const five = device('five');
    await change(five);
    await has(two, four, five);
    if (example === 'sync-group.ts') await lacks(one, three);
    await late.kill();
  });
});

test('a deployment engine installs nothing while the filter cannot be evaluated', async () => {
  const field = aCustomField({ owner: { kind: 'organization', orgId: org.orgId }, key: 'ring' });
  const { unitOfWork } = service.composition.backend;
  const define = (isDefined: boolean) =>
    unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await (isDefined ? tx.customFields.add(field) : tx.customFields.remove(field.id));
    });
  await define(true);
  const conditions = {
    operator: 'AND',
    conditions: [{ field: 'custom.ring', operator: 'equals', value: 'a' }],
  };
  filterId = filterOf(await ask('POST', FILTERS, { name: 'Ring', conditions })).id;
  const one = { ...device('one'), custom: new Map([['ring', 'a']]) };
  await load(one);
  target.isDown = true;
  const engine = await startFollowing('deployment-engine.ts', 1);
  await until(async () => engine.said().includes('503'));
  await define(false);
  await evaluate();
  await until(async () => engine.said().includes('degraded'));
  target.isDown = false;
  await define(true);
  await evaluate();
  await has(one);
  await until(async () => engine.said().endsWith(`degraded\nrecovered\ninstalled ${one.id}\n`));
});
