/**
 * Three processes of the service on one database, under load: one is killed, one is drained, and a new one replaces the
 * first. Then a newer version migrates the database while the others run. The tests check clients, mails, due deletions,
 * limits and access (Contract: §15, "Many instances").
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import type { ApiKeyRecord, OrganizationRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import {
  aDevice,
  anApiKey,
  anOrganization,
  aPartner,
  aUser,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { aPendingRequest, aProcessingRequest } from '#test/support/deletions.ts';
import { type MailServer, startMailServer } from '#test/support/mail/mail-server.ts';
import { aMail, aMailRecipient } from '#test/support/mail/mails.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type Outcome, type RunningService, ServiceUnderTest } from './service-process.ts';

const CLIENTS = 6;
const MAILS_AT_A_TIME = 15;
const DELETIONS_AT_A_TIME = 4;
/** Contract: §2, attempts to sign in per email. */
const MAX_SIGN_INS = 10;
/** Longer ago than any deletion waits, in milliseconds. */
const LONG_AGO_MS = 60 * 86_400_000;

/** What a newer version adds: a change that is allowed while older versions use the database. */
const NEWER = {
  name: '2099-12-31 newer',
  sql: 'alter table saved_filter add column colour text; create table newer (id uuid primary key)',
};

/** An organization may have a hundred more. */
const MOST_FILTERS = 900;

/** What clients were answered, and what was cut off. */
class Load {
  /** Where requests are sent, in turn. */
  targets: RunningService[] = [];
  /** Names of filters whose creation was answered. */
  readonly created: string[] = [];
  /** Names of filters whose creation was not answered. */
  readonly unanswered: string[] = [];
  previews = 0;
  unansweredPreviews = 0;
  /** Unexpected answers, and connections that failed though their instance was not killed. */
  readonly failures: string[] = [];
  /** The instance whose connections may fail. */
  killed: RunningService | null = null;
  readonly #key: string;
  readonly #orgId: string;
  readonly #clients: Promise<void>[];
  readonly #underWay = new Map<RunningService, number>();
  #isOver = false;

  constructor(targets: readonly RunningService[], { key }: ApiKeyRecord, orgId: string) {
    this.targets = [...targets];
    this.#key = key;
    this.#orgId = orgId;
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#goOn(client));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Requests that the instance has not answered yet. */
  underWay(target: RunningService): number {
    return this.#underWay.get(target) ?? 0;
  }

  /** Waits until as many further previews were answered. */
  async goOnFor(previews: number): Promise<void> {
    const end = this.previews + previews;
    await until(async () => this.previews >= end);
  }

  get #filters(): number {
    return this.created.length + this.unanswered.length;
  }

  async #goOn(client: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const target = this.targets[(client + turn) % this.targets.length] as RunningService;
      if (turn % 24 === 0 && this.#filters < MOST_FILTERS)
        await this.#createFilter(target, `filter ${client}.${turn}`);
      else await this.#preview(target);
      await sleep(20);
    }
  }

  async #createFilter(target: RunningService, name: string): Promise<void> {
    const status = await this.#ask(target, '/api/v1/filters', {
      name,
      orgId: this.#orgId,
      conditions: ONLINE,
    });
    if (status === 201) this.created.push(name);
    else this.unanswered.push(name);
  }

  async #preview(target: RunningService): Promise<void> {
    const status = await this.#ask(target, '/api/v1/filters/preview', { conditions: ONLINE });
    if (status === 200) this.previews++;
    else this.unansweredPreviews++;
  }

  async #ask(target: RunningService, path: string, body: object): Promise<number | null> {
    this.#underWay.set(target, this.underWay(target) + 1);
    try {
      const answer = await fetch(`${target.url}${path}`, {
        method: 'POST',
        headers: { 'X-API-Key': this.#key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) this.failures.push(`${path}: ${answer.status} ${text}`);
      return answer.status;
    } catch (error) {
      if (target !== this.killed) this.failures.push(`${path}: ${String(error)} at ${target.url}`);
      return null;
    } finally {
      this.#underWay.set(target, this.underWay(target) - 1);
    }
  }
}

const ONLINE = { operator: 'AND', conditions: [{ field: 'status', operator: 'equals', value: 'online' }] };

let world: PostgresWorld;
let mailServer: MailServer;
let program: ServiceUnderTest;
const partner = aPartner();
const organizations: readonly OrganizationRecord[] = [
  anOrganization({ partnerId: partner.id }),
  anOrganization({ partnerId: partner.id }),
];
const [first, second] = organizations as readonly [OrganizationRecord, OrganizationRecord];
const person = aUser({ membership: { scope: 'organization', orgId: first.id } });
const moved = aUser({ membership: { scope: 'organization', orgId: first.id } });
const keys = {
  load: anApiKey({ userId: person.id }),
  revoked: anApiKey({ userId: person.id }),
  moved: anApiKey({ userId: moved.id }),
};
const leavers: UserRecord[] = [];
let queued = 0;

let load: Load;
/** What was seen on the way. */
const seen = {
  attempts: [] as number[],
  afterwards: [] as number[],
  revoked: [] as number[],
  movedTo: [] as string[],
  drained: null as Outcome | null,
  readyAfterMigration: [] as number[],
  olderVersion: null as Outcome | null,
};

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  await loadFleet(world.backend, [
    partner,
    ...organizations,
    person,
    moved,
    ...Object.values(keys),
    aDevice({ orgId: first.id, status: 'online' }),
    aDevice({ orgId: second.id, status: 'online', hostname: 'second' }),
  ]);
  mailServer = await startMailServer();
  program = await ServiceUnderTest.create({
    DATABASE_URL: world.url,
    DB_POOL: '20',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Fleetsift <fleetsift@msp.example>',
    BASE_URL: 'https://fleet.example.com',
    WORKER_INTERVAL_MS: '100',
    // The test ends the drain earlier, by a second signal.
    DRAIN_SECONDS: '60',
    LOG_LEVEL: 'warn',
  });
  const [one, two, three] = await Promise.all([program.start(), program.start(), program.start()]);
  load = new Load([one, two, three], keys.load, first.id);
  await queueWork();
  await attemptSignIns([one, two, three, one, two]);
  await untilAllIsSent();

  load.killed = one;
  const killing = one.kill();
  load.targets = [two, three];
  await queueWork();
  await killing;
  const four = await program.start();
  load.targets = [two, three, four];
  await attemptSignIns([four, three, two, four, three]);
  seen.afterwards.push(...(await signIn([two, three, four])));
  await changeAccess([two, three, four]);

  two.signal('SIGTERM');
  await until(async () => (await fetch(`${two.url}/readyz`)).status === 503);
  await queueWork();
  // A load balancer would keep sending requests there until it notices.
  await load.goOnFor(CLIENTS);
  load.targets = [three, four];
  await until(async () => load.underWay(two) === 0);
  two.signal('SIGTERM');
  seen.drained = await two.ended();

  await provisionDatabase({
    url: world.url,
    migrate: true,
    secretNames: [],
    migrations: [...MIGRATIONS, NEWER],
  });
  const olderVersion = program.run(['migrate']);
  await queueWork();
  await load.goOnFor(10 * CLIENTS);
  for (const { url } of [three, four]) seen.readyAfterMigration.push((await fetch(`${url}/readyz`)).status);
  seen.olderVersion = await olderVersion;
  await untilAllIsSent();
  await load.stop();
}, 300_000);

afterAll(async () => {
  await load?.stop();
  await program?.dispose();
  await mailServer?.close();
  await world?.close();
});

/** Queues mails, and accounts whose deletion is due. */
async function queueWork(): Promise<void> {
  const { unitOfWork } = world.backend;
  await unitOfWork(orgScope(first.id), async (tx) => {
    for (let i = 0; i < MAILS_AT_A_TIME; i++) {
      await tx.mail(
        aMail({ to: aMailRecipient({ userId: person.id, email: `to-${queued++}@example.com` }) }),
      );
    }
  });
  const gone = Array.from({ length: DELETIONS_AT_A_TIME }, () =>
    aUser({ membership: { scope: 'organization', orgId: first.id } }),
  );
  await loadFleet(world.backend, gone);
  leavers.push(...gone);
  await unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const { id: userId } of gone) {
      const pending = aPendingRequest({ userId, orgId: first.id, requestedAt: Date.now() - LONG_AGO_MS });
      const verdict = { at: pending.requestedAt, by: person.id, note: null };
      await tx.deletions.add(pending);
      await tx.deletions.advance(
        'pending',
        aProcessingRequest({ ...pending, status: 'processing', verdict }),
      );
    }
  });
}

/** The worker that is killed next must have no mail in hand, since such a mail may be sent twice, with one Message-ID. */
async function untilAllIsSent(): Promise<void> {
  await until(async () => {
    const rows = await world.query(
      'owner',
      `(select 1 from mail_outbox where status = 'queued' limit 1)
       union all (select 1 from account_deletion_request where status = 'processing' limit 1)`,
    );
    return rows.length === 0;
  });
}

/** Tries to sign in with one email on each instance in turn, and returns the statuses. */
async function signIn(at: readonly RunningService[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { url } of at) {
    const answer = await fetch(`${url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'wrong horse battery staple' }),
    });
    await answer.text();
    statuses.push(answer.status);
  }
  return statuses;
}

async function attemptSignIns(at: readonly RunningService[]): Promise<void> {
  seen.attempts.push(...(await signIn(at)));
}

/** A key is revoked and a person moved; each instance is asked until it knows. */
async function changeAccess(at: readonly RunningService[]): Promise<void> {
  const ask = ({ url }: RunningService, { key }: ApiKeyRecord, path: string) =>
    fetch(`${url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  const hostnames = async (instance: RunningService) => {
    const { data } = (await (await ask(instance, keys.moved, '/devices')).json()) as {
      data: readonly { hostname: string }[];
    };
    return data.map(({ hostname }) => hostname).join();
  };
  for (const instance of at) {
    expect((await ask(instance, keys.revoked, '/auth/me')).status).toBe(200);
    expect(await hostnames(instance)).not.toBe('second');
  }
  await world.query('owner', 'update api_key set revoked_at = now() where id = $1', [keys.revoked.id]);
  await world.query('owner', 'update app_user set org_id = $2, auth_epoch = auth_epoch + 1 where id = $1', [
    moved.id,
    second.id,
  ]);
  for (const instance of at) {
    await until(async () => (await ask(instance, keys.revoked, '/auth/me')).status === 401);
    seen.revoked.push(401);
    await until(async () => (await hostnames(instance)) === 'second');
    seen.movedTo.push('second');
  }
}

describe('a client', () => {
  test('gets an answer to every request, except those that the killed instance was handling', () => {
    expect(load.failures).toStrictEqual([]);
    expect(load.previews).toBeGreaterThan(10 * CLIENTS);
    expect(load.unanswered.length + load.unansweredPreviews).toBeLessThanOrEqual(CLIENTS);
  });

  test('finds each filter whose creation was answered, and finds it once', async () => {
    const rows = await world.query<{ name: string }>('owner', 'select name from saved_filter');
    const names = rows.map(({ name }) => name).toSorted();
    const inDoubt = new Set(load.unanswered);
    expect(names.filter((name) => !inDoubt.has(name))).toStrictEqual(load.created.toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  test('finds each answered preview in the audit log once', async () => {
    const [row] = await world.query<{ count: number }>(
      'owner',
      `select count(*)::int as count from audit_log where action = 'filter.preview' and result = 'success'`,
    );
    expect(row?.count).toBeGreaterThanOrEqual(load.previews);
    expect(row?.count).toBeLessThanOrEqual(load.previews + load.unansweredPreviews);
  });
});

test('each mail is sent once', () => {
  const addresses = mailServer.received.flatMap(({ to }) => to).filter((to) => to.startsWith('to-'));
  expect(addresses.toSorted()).toStrictEqual(
    Array.from({ length: queued }, (_, i) => `to-${i}@example.com`).toSorted(),
  );
});

test('each account whose deletion is due is erased once, and its owner gets one mail', async () => {
  const ids = leavers.map(({ id }) => id);
  const rows = await world.query<{ id: string; name: string | null; completed: number }>(
    'owner',
    `select u.id, u.name, (select count(*)::int from audit_log where action = 'user.account_deletion.completed'
       and details->>'userId' = u.id::text) as completed
     from app_user u where u.id = any($1)`,
    [ids],
  );
  expect(rows.map(({ completed }) => completed)).toStrictEqual(leavers.map(() => 1));
  expect(rows.filter(({ name }) => leavers.some((leaver) => leaver.name === name))).toStrictEqual([]);
  const told = mailServer.received.flatMap(({ to }) => to).filter((to) => to.startsWith('user-'));
  expect(told.toSorted()).toStrictEqual(leavers.map(({ email }) => email).toSorted());
});

test('sign-in attempts are counted across instances, including one that starts later', () => {
  expect(seen.attempts).toStrictEqual(Array.from({ length: MAX_SIGN_INS }, () => 401));
  expect(seen.afterwards).toStrictEqual([429, 429, 429]);
});

test('every instance learns of a revoked key and of a person who has moved', () => {
  expect(seen.revoked).toStrictEqual([401, 401, 401]);
  expect(seen.movedTo).toStrictEqual(['second', 'second', 'second']);
});

test('a drained instance ends with exit code 0', () => {
  expect(seen.drained?.code).toBe(0);
});

test("an older version keeps running on a newer version's database, but refuses to migrate it", () => {
  expect(seen.readyAfterMigration).toStrictEqual([200, 200]);
  expect(seen.olderVersion?.code).toBe(1);
  expect(seen.olderVersion?.stderr).toContain(NEWER.name);
});
