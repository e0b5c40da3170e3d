/**
 * Mail goes from a change to a real mail server at once and only once, whatever happens to the server and to
 * the worker in between.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from 'fleetsift';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeSmtpSender } from '#adapters/mail/smtp-sender.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { MailStatus } from '#application/ports/mail/mail-outbox.ts';
import type { UserId } from '#domain/ids.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import { newId, orgScope } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import {
  type MailServer,
  type MailServerOptions,
  smtpAnswer,
  startMailServer,
} from '#test/support/mail/mail-server.ts';
import { aMail, aMailRecipient } from '#test/support/mail/mails.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';
import { runCommand, startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const FROM = { name: 'Fleetsift', address: 'fleetsift@msp.example' };
const PATIENCE = { timeout: 60_000, interval: 50 };

let world: PostgresWorld;
let tenant: Tenant;
let dataDir: string;
const servers: MailServer[] = [];
const workers: (WorkerProcess | { kill(): Promise<unknown> })[] = [];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenant = await createTenant(world.backend);
  dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-mail-'));
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await world.query('owner', 'delete from mail_outbox');
});

afterAll(async () => {
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  servers.push(server);
  return server;
}

/** The environment variables of every process of the service. */
function environment(given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: world.url,
    DATA_DIR: dataDir,
    MAIL_FROM: 'Fleetsift <fleetsift@msp.example>',
    BASE_URL: 'https://fleet.example.com',
    WORKER_INTERVAL_MS: '100',
    ...given,
  };
}

async function startWorkerOn(server: Pick<MailServer, 'url'>): Promise<WorkerProcess> {
  const worker = await startWorkerProcess(environment({ SMTP_URL: server.url }));
  workers.push(worker);
  return worker;
}

/** The service in this process, whose worker looks for work when it is nudged, and else once an hour. */
async function startService(server: Pick<MailServer, 'url'>) {
  const service = await compose(
    {
      databaseUrl: world.url,
      migrate: false,
      filterTimeoutMs: 2_000,
      trustedProxies: [],
      logLevel: 'silent',
    },
    {},
  );
  const worker: Worker = service.startWorker({
    sendMail: makeSmtpSender({ url: server.url, from: FROM }),
    baseUrl: 'https://fleet.example.com',
    intervalMs: 3_600_000,
  });
  workers.push({
    kill: async () => {
      await worker.stop(2_000);
      await service.close();
    },
  });
  return service;
}

const to = (email: string, userId: UserId = tenant.userId) => aMailRecipient({ userId, email });

async function queue(
  backend: PostgresWorld['backend'] | Awaited<ReturnType<typeof compose>>['backend'],
  mail: QueuedMail,
) {
  await backend.unitOfWork(orgScope(tenant.orgId), (tx) => tx.mail(mail));
}

async function queueMany(count: number): Promise<void> {
  await world.backend.unitOfWork(orgScope(tenant.orgId), async (tx) => {
    for (let i = 0; i < count; i++) await tx.mail(aMail({ to: to(`user${i}@example.com`) }));
  });
}

const statuses = async () =>
  (await world.backend.mailOutbox.list(null, 10_000)).map(({ status }) => status).toSorted();
const all = (count: number, status: MailStatus) => Array.from({ length: count }, () => status);

/** Ends the leases on mail that workers have claimed. */
const endLeases = () =>
  world.query('owner', `update mail_outbox set next_attempt_at = now() where status = 'queued'`);

describe('a change that queues mail', () => {
  test('has it sent at once, with the right envelope', async () => {
    const server = await startServer();
    const { backend } = await startService(server);
    await queue(backend, aMail({ to: to('ada@example.com') }));
    await server.receivedCount(1);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
    expect(server.received).toMatchObject([{ from: 'fleetsift@msp.example', to: ['ada@example.com'] }]);
    const rows = await world.query('owner', 'select email, name, facts, problem from mail_outbox');
    expect(rows).toStrictEqual([{ email: null, name: null, facts: null, problem: null }]);
  });

  test('ends before a slow mail server answers, and holds nothing in the database', async () => {
    const taking = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = await startServer({
      beforeTaking: () => {
        asked.resolve();
        return taking.promise;
      },
    });
    const { backend } = await startService(server);
    await queue(backend, aMail({ to: to('ada@example.com') }));
    await asked.promise;
    const held = () =>
      world.query(
        'owner',
        `select a.state, l.mode from pg_stat_activity a left join pg_locks l on l.pid = a.pid
         where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
           and (a.xact_start is not null or l.relation = 'mail_outbox'::regclass)`,
      );
    // The poll ignores a look for work or a renewed lease, which are over at the next try.
    await expect.poll(held, PATIENCE).toStrictEqual([]);
    taking.resolve();
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
  });

  test('does not wait for another mail that a server never accepts', async () => {
    const never = new Promise<void>(() => undefined);
    const server = await startServer({
      beforeTaking: ({ to: [email] }) => (email === 'slow@example.com' ? never : undefined),
    });
    const { backend } = await startService(server);
    await queue(backend, aMail({ to: to('slow@example.com') }));
    for (let i = 0; i < 10; i++) await queue(backend, aMail({ to: to(`user${i}@example.com`) }));
    await server.receivedCount(10);
    expect(server.received.map((mail) => mail.to[0])).not.toContain('slow@example.com');
  });
});

describe('workers', () => {
  test('two of them send 200 mails, each once', async () => {
    const server = await startServer();
    await queueMany(200);
    await Promise.all([startWorkerOn(server), startWorkerOn(server)]);
    await expect.poll(statuses, PATIENCE).toStrictEqual(all(200, 'sent'));
    expect(server.received).toHaveLength(200);
    expect(new Set(server.received.map(({ email }) => email.messageId)).size).toBe(200);
    expect(new Set(server.received.map((mail) => mail.to[0])).size).toBe(200);
  });

  test('one is killed before the server answers: the next sends its mail with the same Message-ID', async () => {
    const asked = Promise.withResolvers<void>();
    let isFirst = true;
    const server = await startServer({
      beforeTaking: async () => {
        if (!isFirst) return;
        isFirst = false;
        asked.resolve();
        await first.promise;
      },
    });
    const first = Promise.withResolvers<void>();
    await queueMany(1);
    const worker = await startWorkerOn(server);
    await asked.promise;
    await worker.kill();
    first.resolve();
    expect(await statuses()).toStrictEqual(['queued']);
    await endLeases();
    await startWorkerOn(server);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
    // The server had received the first mail in full, and accepted it although nobody waited for its answer.
    expect(server.received).toHaveLength(2);
    expect(new Set(server.received.map(({ email }) => email.messageId)).size).toBe(1);
  });

  test('one is killed between "sent" and "marked": the next sends its mail with the same Message-ID', async () => {
    const asked = Promise.withResolvers<void>();
    const taking = Promise.withResolvers<void>();
    const server = await startServer({
      beforeTaking: () => {
        asked.resolve();
        return taking.promise;
      },
    });
    await queueMany(1);
    const worker = await startWorkerOn(server);
    await asked.promise;
    await world.connected('owner', async (client) => {
      // The row is locked, so the worker has its answer but cannot mark the mail.
      await client.query('begin');
      await client.query('select 1 from mail_outbox for update');
      taking.resolve();
      await expect
        .poll(
          () =>
            world.query(
              'owner',
              `select 1 from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock' and query like '%mail_outbox%'`,
            ),
          PATIENCE,
        )
        .not.toHaveLength(0);
      await worker.kill();
      // Otherwise the statement of the killed worker would still run once the row is unlocked.
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%mail_outbox%'`,
      );
      await client.query('rollback');
    });
    expect(await statuses()).toStrictEqual(['queued']);
    await endLeases();
    await startWorkerOn(server);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
    expect(server.received).toHaveLength(2);
    expect(new Set(server.received.map(({ email }) => email.messageId)).size).toBe(1);
    expect(new Set(server.received.map(({ email }) => email.text)).size).toBe(1);
  });

  test('one that is killed before it sends leaves the mail to the next, which sends it once', async () => {
    const server = await startServer({ server: { onMailFrom: () => undefined } });
    await queueMany(1);
    const worker = await startWorkerOn(server);
    await expect.poll(() => server.connectionCount, PATIENCE).toBe(1);
    await worker.kill();
    const sound = await startServer();
    await startWorkerOn(sound);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
    expect(sound.received).toHaveLength(1);
    expect(server.received).toStrictEqual([]);
  });

  test('one that is told to stop finishes the mail that it is sending', async () => {
    const asked = Promise.withResolvers<void>();
    const taking = Promise.withResolvers<void>();
    const server = await startServer({
      beforeTaking: () => {
        asked.resolve();
        return taking.promise;
      },
    });
    await queueMany(1);
    const worker = await startWorkerOn(server);
    await asked.promise;
    const stopped = worker.stop();
    await expect.poll(worker.output, PATIENCE).toContain('stopping');
    taking.resolve();
    expect(await stopped).toMatchObject({ code: 0 });
    expect(await statuses()).toStrictEqual(['sent']);
    expect(server.received).toHaveLength(1);
  });

  test('one that is told to stop gives up a stuck mail, which the next sends at once', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startServer({ server: { onMailFrom: () => asked.resolve() } });
    await queueMany(1);
    const worker = await startWorkerOn(server);
    await asked.promise;
    expect(await worker.stop()).toMatchObject({ code: 0 });
    const [mail] = await world.backend.mailOutbox.list(null, 1);
    expect(mail).toMatchObject({ status: 'queued', problem: 'the service was stopped' });
    const sound = await startServer();
    await startWorkerOn(sound);
    await sound.receivedCount(1);
  });

  test('wait for a server that is down, and lose no mail', async () => {
    const server = await startServer();
    await server.close();
    await queueMany(10);
    const worker = await startWorkerOn(server);
    await expect.poll(worker.output, PATIENCE).toContain('mail not sent');
    const again = await startServer({ port: server.port });
    await expect.poll(statuses, PATIENCE).toStrictEqual(all(10, 'sent'));
    expect(new Set(again.received.map((mail) => mail.to[0])).size).toBe(10);
    expect(again.received).toHaveLength(10);
  });

  test('log neither recipients nor contents', async () => {
    const server = await startServer({
      server: {
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith('user1@') ? smtpAnswer(550, `${address} is unknown`) : null),
      },
    });
    await queueMany(3);
    const worker = await startWorkerOn(server);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['failed', 'sent', 'sent']);
    const { stdout, stderr } = await worker.stop();
    expect(stdout).toContain('"code":"550 RCPT TO"');
    expect(stdout + stderr).not.toMatch(/user\d|@example\.com|Lovelace|unknown/);
  });
});

describe('the command line', () => {
  test('lists failed mail and queues it again', async () => {
    let isRefusing = true;
    const server = await startServer({
      server: {
        onRcptTo: ({ address }, _session, done) =>
          done(isRefusing && address === 'gone@example.com' ? smtpAnswer(550, '5.1.1 no such user') : null),
      },
    });
    const requestId = newId<'deletion-request'>();
    await queue(world.backend, aMail({ to: to('gone@example.com'), requestId }));
    await startWorkerOn(server);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['failed']);
    const [failed] = await world.backend.mailOutbox.list('failed', 1);
    const listed = await runCommand(['mail', 'list', '--status', 'failed'], environment());
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^ID +STATUS +KIND +TO +QUEUED +TRIES +NEXT TRY OR END +PROBLEM\n/);
    expect(listed.stdout).toContain(failed?.id);
    expect(listed.stdout).toMatch(
      /failed +deletion-approved +gone@example\.com +.*550 5\.1\.1 no such user \(RCPT TO\)\n$/,
    );
    isRefusing = false;
    const retried = await runCommand(['mail', 'retry', failed?.id ?? ''], environment());
    expect(retried).toMatchObject({ code: 0, stdout: '1 mail queued for sending\n' });
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent']);
    const again = await runCommand(['mail', 'retry', failed?.id ?? ''], environment());
    expect(again).toMatchObject({ code: 1, stderr: `mail ${failed?.id} was already sent\n` });
    const sent = await runCommand(['mail', 'list'], environment());
    expect(sent.stdout).toContain(`(user ${tenant.userId})`);
    expect(sent.stdout).not.toContain('gone@example.com');
  });

  test('writes mail to files if there is no mail server', async () => {
    await queueMany(2);
    const worker = await startWorkerProcess(environment());
    workers.push(worker);
    await expect.poll(statuses, PATIENCE).toStrictEqual(['sent', 'sent']);
    const directory = join(dataDir, 'mail');
    const mails = await Promise.all(
      (await readdir(directory)).map(async (name) => PostalMime.parse(await readFile(join(directory, name)))),
    );
    expect(mails.map((mail) => mail.to?.[0]?.address).toSorted()).toStrictEqual([
      'user0@example.com',
      'user1@example.com',
    ]);
  });
});
