/**
 * Two workers share a database while their clocks are wrong, one by a day ahead and one by a day behind: each mail and
 * each webhook arrives once, no account is erased early, and people sign in on every instance.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Composition, compose } from 'fleetsift';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { askApp } from '#test/api/service/ask-app.ts';
import { AUTH, type Tokens, tokensOf } from '#test/api/service/auth-service.ts';
import {
  aDelivery,
  aFilter,
  aSubscription,
  aUser,
  newId,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { aPendingRequest, aProcessingRequest } from '#test/support/deletions.ts';
import { type MailServer, startMailServer } from '#test/support/mail/mail-server.ts';
import { aMail, aMailRecipient } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const SKEWS_MS = [DAY_MS, -DAY_MS];
const MAILS = 40;
const WEBHOOKS = 20;
/** Much longer than a look for due mail, which each lane of a worker takes every 50 ms, or for webhooks. */
const TAKING_MS = 400;

let world: PostgresWorld;
let orgId: OrgId;
let mailServer: MailServer;
let receiver: Server;
/** The ids of webhooks as they came. */
const told: unknown[] = [];
const workers: WorkerProcess[] = [];
const instances: Composition[] = [];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  ({ orgId } = await createTenant(world.backend));
  mailServer = await startMailServer({ beforeTaking: () => sleep(TAKING_MS) });
  receiver = createServer(async ({ headers }, response) => {
    told.push(headers['webhook-id']);
    await sleep(TAKING_MS);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  for (const instance of instances.splice(0)) await instance.close();
});

afterAll(async () => {
  await mailServer.close();
  receiver.close();
  await world.close();
});

/** The whole program, whose clock is wrong from the start. */
async function startSkewedWorker(skewMs: number): Promise<void> {
  const skew = `const right = Date.now; Date.now = () => right() + ${skewMs}`;
  const worker = await startWorkerProcess({
    DATABASE_URL: world.url,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Fleetsift <fleetsift@msp.example>',
    BASE_URL: 'https://fleet.example.com',
    WORKER_INTERVAL_MS: '50',
    OUTBOUND_PRIVATE: 'allow',
    NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(skew)}"`,
  });
  workers.push(worker);
}

async function addPeople(count: number): Promise<readonly UserRecord[]> {
  const membership = { scope: 'organization', orgId } as const;
  const people = Array.from({ length: count }, () => aUser({ membership }));
  await loadFleet(world.backend, people);
  return people;
}

/** Approved requests that fall due so many milliseconds from now. */
async function approve(people: readonly UserRecord[], dueInMs: number): Promise<void> {
  await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const { id: userId } of people) {
      const processBy = Date.now() + dueInMs;
      const requestedAt = processBy - 30 * DAY_MS;
      const pending = aPendingRequest({ userId, orgId, requestedAt, processBy });
      await tx.deletions.add(pending);
      const verdict = { at: requestedAt, by: newId<'user'>(), note: null };
      await tx.deletions.advance(
        'pending',
        aProcessingRequest({ ...pending, status: 'processing', verdict }),
      );
    }
  });
}

const states = async () =>
  world.query<{ unsent: number; due: string; later: string }>(
    'owner',
    `select (select count(*)::int from mail_outbox where status <> 'sent')
         + (select count(*)::int from webhook_delivery where status <> 'delivered') as unsent,
       (select string_agg(distinct status::text, ',') from account_deletion_request where process_by <= now()) as due,
       (select string_agg(distinct status::text, ',') from account_deletion_request where process_by > now()) as later`,
  );

/** Subscriptions of which each has one delivery to send. */
async function requestWebhooks(): Promise<void> {
  const [person] = (await addPeople(1)) as [UserRecord];
  const filter = aFilter({ orgId, createdBy: person.id });
  await loadFleet(world.backend, [filter]);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  for (let i = 0; i < WEBHOOKS; i++) {
    const subscription = aSubscription({ orgId, filterId: filter.id, kind: 'webhook', url });
    await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.subscriptions.add(subscription);
      await tx.webhooks.setSecret(subscription.id, `whsec_${btoa('x'.repeat(24))}`, Date.now());
      const delivery = aDelivery({ subscriptionId: subscription.id, told: null });
      await tx.webhooks.add(delivery);
      await tx.webhooks.request(subscription.id, delivery.id);
    });
  }
}

test('two workers whose clocks are two days apart send everything once and erase nobody early', async () => {
  const [due, later] = [await addPeople(4), await addPeople(4)];
  await approve(due, -HOUR_MS);
  await approve(later, DAY_MS / 2);
  await Promise.all(SKEWS_MS.map(startSkewedWorker));
  for (const { id: userId, email } of await addPeople(MAILS)) {
    const to = aMailRecipient({ userId, email });
    await world.backend.unitOfWork(orgScope(orgId), (tx) => tx.mail(aMail({ to })));
  }
  await requestWebhooks();
  await mailServer.receivedCount(MAILS + due.length);
  await until(async () => {
    const [state] = await states();
    return state?.unsent === 0 && state.due === 'completed';
  });
  const ids = mailServer.received.map(({ email }) => email.messageId);
  expect(new Set(ids).size).toBe(MAILS + due.length);
  expect(ids).toHaveLength(MAILS + due.length);
  expect(new Set(told).size).toBe(WEBHOOKS);
  expect(told).toHaveLength(WEBHOOKS);
  expect((await states())[0]?.later).toBe('processing');
});

test('people sign in and stay signed in, whichever instance they reach', async () => {
  const [person] = (await addPeople(1)) as [UserRecord];
  for (const skewMs of [0, ...SKEWS_MS]) {
    const config = { databaseUrl: world.url, migrate: false, filterTimeoutMs: 2_000, trustedProxies: [] };
    instances.push(
      await compose(
        { ...config, logLevel: 'silent' },
        {
          clock: () => Date.now() + skewMs,
          verifyPassword: async (stored, password) => ({
            matches: stored === `hash of ${password}`,
            isOutdated: false,
          }),
        },
      ),
    );
  }
  const post = async (instance: Composition, path: string, body: object): Promise<Tokens> =>
    tokensOf(await askApp(instance, 'POST', `${AUTH}/${path}`, body, {}));
  const { email, password } = person;
  for (const beginning of instances) {
    let { refreshToken } = await post(beginning, 'login', { email, password });
    // Three times three attempts are fewer than the ten that are allowed in five minutes.
    for (const instance of instances) {
      ({ refreshToken } = await post(instance, 'refresh', { refreshToken }));
      await post(instance, 'login', { email, password });
    }
  }
});
