/** Mails about who enters and leaves a filter, from a subscription to a real mail server (Contract: §17, Mails). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeSmtpSender } from '#adapters/mail/smtp-sender.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Job } from '#application/job.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { type FilterMailsJobDeps, makeFilterMailsJob } from '#application/live/filter-mails-job.ts';
import { makeMailJob } from '#application/mail/mail-job.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { addEditors, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  problemOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice, aUser, movableClock, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { type MailServer, startMailServer } from '#test/support/mail/mail-server.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SUBSCRIPTIONS = '/api/v1/subscriptions';
const IS_VIP = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };
const STOP = { stopping: new AbortController().signal, aborting: new AbortController().signal };
const BASE_URL = 'https://fleet.example.com';

const ignore = () => undefined;

const { clock, moveTo } = movableClock(Date.now());
let service: TestService;
let mailServer: MailServer;
let editors: Editors;
let filterId: string;
let path: string;
let till: DeviceRecord;

beforeAll(async () => {
  service = await startService({ overrides: { clock } });
});
afterAll(() => service.close());
beforeEach(async () => {
  mailServer = await startMailServer();
  editors = await addEditors(service);
  till = device('till-7', 'vip');
  await load(till);
  filterId = filterOf(await editors.as('A')('POST', FILTERS, { name: 'VIP <b>', conditions: IS_VIP })).id;
});
afterEach(() => mailServer.close());

const device = (hostname: string, ...tags: readonly string[]) =>
  aDevice({ orgId: editors.a, hostname, tags });
const load = (...records: Parameters<typeof loadFleet>[1]) => loadFleet(service.composition.backend, records);
const userIdOf = (name: Parameters<Editors['idOf']>[0]) => editors.idOf(name) as UserId;

async function evaluate(): Promise<void> {
  const { memberships } = service.composition.backend;
  await makeEvaluateMemberships({ memberships, translatePattern, clock })(editors.p);
}

async function change(...devices: readonly DeviceRecord[]): Promise<void> {
  await load(...devices);
  await evaluate();
}

const wait = (ms: number) => moveTo(clock() + ms);
const post = (body: object, kind = 'mail'): Promise<Answer> =>
  editors.as('A')('POST', SUBSCRIPTIONS, { filterId, name: 'Team', kind, ...body });
const patch = (body: object) => editors.as('A')('PATCH', path, body);

/** Subscribes and evaluates, so the present members are no news. */
async function subscribe(body: object = {}): Promise<void> {
  const created = await post({ recipients: [editors.idOf('A')], ...body });
  expect([created.status, created.text]).toStrictEqual([201, expect.any(String)]);
  path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
  await evaluate();
}

const filterMails = (change: Partial<FilterMailsJobDeps> = {}): Job =>
  makeFilterMailsJob({ ...service.composition.backend, newId, ...change });

async function send(): Promise<void> {
  const { mailOutbox: outbox, sharedClock } = service.composition.backend;
  const sender = makeSmtpSender({
    url: mailServer.url,
    from: { name: 'Fleetsift', address: 'f@msp.example' },
  });
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const deps = { outbox, send: sender, baseUrl: BASE_URL, clock, sharedClock, log };
  await makeMailJob({ ...deps, random: () => 0 }).run(STOP);
}

/** The texts of the mails that come next, oldest first. */
async function deliver(): Promise<readonly string[]> {
  const before = mailServer.received.length;
  await filterMails().run(STOP);
  await send();
  return mailServer.received.slice(before).map(({ email }) => email.text ?? '');
}

async function recipientsOfNext(): Promise<readonly string[]> {
  const before = mailServer.received.length;
  await deliver();
  return mailServer.received
    .slice(before)
    .flatMap(({ to }) => to)
    .toSorted();
}

describe('recipients', () => {
  test('are people who reach the filter', async () => {
    const reaching = (['A', 'user', 'P', 'P in A', 'system'] as const).map((name) => editors.idOf(name));
    expect(await post({ recipients: reaching })).toMatchObject({
      status: 201,
      body: { recipients: reaching, notify: 'changes', batchSeconds: 900, url: null },
    });
  });

  test('are each refused if they do not reach the filter, are disabled or unknown', async () => {
    const disabled = aUser({ membership: { scope: 'organization', orgId: editors.a } });
    await load(disabled);
    await service.probe.changeUser(disabled.id, { status: 'disabled' });
    const bad = [editors.idOf('B'), editors.idOf('Q'), newId(), disabled.id];
    const { errors } = problemOf(await post({ recipients: [editors.idOf('A'), ...bad], name: '' }));
    expect(errors?.map((each) => [each.path, each.code])).toStrictEqual([
      ['name', expect.any(String)],
      ...bad.map(() => ['recipients', 'unknown_user']),
    ]);
    for (const [i, id] of bad.entries()) expect(errors?.[i + 1]?.message).toContain(id);
  });

  test('can be replaced by others who reach the filter', async () => {
    await subscribe();
    const others = [editors.idOf('P'), editors.idOf('user')];
    expect(await patch({ recipients: others })).toMatchObject({ status: 200, body: { recipients: others } });
    const refused = problemOf(await patch({ recipients: [editors.idOf('P'), editors.idOf('B')] }));
    expect(refused.errors).toMatchObject([{ path: 'recipients', code: 'unknown_user' }]);
  });

  test('get no mail once they are disabled, erased or out of reach, and only erased ones are removed', async () => {
    const recipients = (['A', 'user', 'P', 'P in A', 'system'] as const).map((name) => editors.idOf(name));
    await subscribe({ recipients });
    await service.probe.changeUser(userIdOf('user'), { status: 'disabled' });
    await service.probe.changeUser(userIdOf('P in A'), {
      membership: { scope: 'partner', partnerId: editors.p, orgIds: [editors.b] },
    });
    await service.probe.changeUser(userIdOf('P'), {
      membership: { scope: 'partner', partnerId: editors.q, orgIds: null },
    });
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(userIdOf('system')));
    await change(device('kiosk', 'vip'));
    expect(await recipientsOfNext()).toHaveLength(1);
    const left = (await editors.as('A')('GET', path)).body as { readonly recipients: readonly string[] };
    expect(left.recipients).toStrictEqual(recipients.filter((id) => id !== editors.idOf('system')));
    expect(await patch({ recipients: left.recipients, name: 'Renamed' })).toMatchObject({ status: 200 });
  });

  test('must reach the whole partner for a partner-wide filter', async () => {
    const wide = { name: 'VIP', partnerId: editors.p, conditions: IS_VIP };
    const { id } = filterOf(await editors.as('P')('POST', FILTERS, wide));
    const subscribeTo = (...recipients: readonly string[]) =>
      editors.as('P')('POST', SUBSCRIPTIONS, { filterId: id, name: 'Staff', kind: 'mail', recipients });
    const bad = (['A', 'P in A', 'Q'] as const).map((name) => editors.idOf(name));
    const { errors } = problemOf(await subscribeTo(...bad, editors.idOf('P')));
    expect(errors?.map(({ code }) => code)).toStrictEqual(bad.map(() => 'unknown_user'));
    expect((await subscribeTo(editors.idOf('P'), editors.idOf('system'))).status).toBe(201);
    await evaluate();
    const inB = { ...device('kiosk-of-b', 'vip'), orgId: editors.b };
    await change(device('kiosk-of-a', 'vip'), inB);
    const texts = await deliver();
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toMatch(/> kiosk-of-[ab]\n> kiosk-of-[ab]\n/);
  });

  test('a queued mail is withdrawn when its recipient is erased', async () => {
    await subscribe({ recipients: [editors.idOf('user'), editors.idOf('A')] });
    await change(device('kiosk', 'vip'));
    await filterMails().run(STOP);
    await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(userIdOf('user')));
    expect(await deliver()).toHaveLength(1);
  });
});

test.each([
  [{ notify: { above: 1, below: 2 } }, 'notify'],
  [{ notify: { above: -1 } }, 'notify'],
  [{ batchSeconds: 0 }, 'batchSeconds'],
  [{ recipients: [] }, 'recipients'],
  [{ recipients: undefined }, 'recipients'],
  [{ url: 'https://hooks.example/in' }, 'url'],
])('a subscription with %j is refused', async (body, at) => {
  const refused = await post({ recipients: [editors.idOf('A')], ...body });
  expect(problemOf(refused).errors?.map((each) => each.path)).toStrictEqual([at]);
});

describe('changes', () => {
  test('a mail lists the devices that entered and left, in text and HTML', async () => {
    await subscribe();
    expect(await deliver()).toStrictEqual([]);
    await change(device('kiosk', 'vip'), device('desk', 'vip'), { ...till, tags: [] });
    const [text] = await deliver();
    expect(text).toContain('2 devices entered, 1 left\n');
    expect(text).toContain('Filter: VIP <b>\nSubscription: Team\nDevices: 2\n');
    expect(text).toMatch(/Entered:\n> (kiosk\n> desk|desk\n> kiosk)\n/);
    expect(text).toContain('Left:\n> till-7\n');
    expect(text).toContain(`Open the filter:\n${BASE_URL}/filters/${filterId}\n`);
    const { email } = mailServer.received.at(-1) ?? {};
    expect(email?.subject).toBe('A filter has changed: 2 devices entered, 1 left');
    expect(email?.html).toContain('VIP &lt;b&gt;');
    expect(await deliver()).toStrictEqual([]);
  });

  test('there is at most one mail in batchSeconds', async () => {
    await subscribe({ batchSeconds: 60 });
    const kiosk = device('kiosk', 'vip');
    await change(kiosk);
    expect(await deliver()).toHaveLength(1);
    await change({ ...kiosk, tags: [] });
    await change({ ...till, tags: [] });
    wait(59_000);
    expect(await deliver()).toStrictEqual([]);
    wait(1_000);
    const [text, ...others] = await deliver();
    expect(others).toStrictEqual([]);
    expect(text).toContain('0 devices entered, 2 left\n');
  });

  test('devices that enter and leave in between are counted', async () => {
    await subscribe();
    const kiosk = device('kiosk', 'vip');
    await change(kiosk);
    await change({ ...kiosk, tags: [] });
    expect((await deliver())[0]).toContain('1 device entered and left in between, and ended as before.');
  });

  test('a mail says when the filter cannot be evaluated, and when it can be again', async () => {
    const define = (key: string) =>
      editors.as('A')('POST', '/api/v1/custom-fields', { orgId: editors.a, key, name: key, type: 'text' });
    const { id } = (await define('ring')).body as { id: string };
    const conditions = { operator: 'AND', conditions: [{ field: 'custom.ring', operator: 'isNull' }] };
    filterId = filterOf(await editors.as('A')('POST', FILTERS, { name: 'No ring', conditions })).id;
    await subscribe({ batchSeconds: 1 });
    await service.probe.removeCustomField(id as never);
    await evaluate();
    const [degraded] = await deliver();
    expect(degraded).toContain('The filter cannot be evaluated at present');
    wait(1_000);
    expect((await define('ring')).status).toBe(201);
    await evaluate();
    expect((await deliver())[0]).toContain('It can be again.');
  });

  test('a paused subscription sends no mails, and later what it missed', async () => {
    await subscribe();
    expect((await patch({ state: 'paused' })).status).toBe(200);
    await change(device('kiosk', 'vip'));
    expect(await deliver()).toStrictEqual([]);
    expect((await patch({ state: 'active' })).status).toBe(200);
    await evaluate();
    expect((await deliver())[0]).toContain('Entered:\n> kiosk\n');
  });

  test('a mail says when earlier changes are no longer kept', async () => {
    await subscribe();
    await change(device('kiosk', 'vip'));
    await change(device('desk', 'vip'));
    await service.composition.backend.memberships.forget(clock() - 60_000, 1);
    const [text] = await deliver();
    expect(text).toContain('Entered:\n> desk\n');
    expect(text).toContain('Earlier changes are no longer kept');
    expect(await deliver()).toStrictEqual([]);
    wait(900_000);
    await change({ ...till, tags: [] });
    await service.composition.backend.memberships.forget(clock() + 60_000, 0);
    expect((await deliver())[0]).toContain('Earlier changes are no longer kept');
    expect(await deliver()).toStrictEqual([]);
  });
});

describe('a threshold', () => {
  test('sends one mail when the count crosses it, and one when the count is back', async () => {
    await subscribe({ notify: { above: 1 } });
    const kiosk = device('kiosk', 'vip');
    await change(kiosk);
    await change(device('desk', 'vip'));
    const [beyond, ...others] = await deliver();
    expect(others).toStrictEqual([]);
    expect(beyond).toContain('A filter is above 1\n');
    await change({ ...kiosk, tags: [] });
    expect(await deliver()).toStrictEqual([]);
    await change({ ...till, tags: [] });
    expect((await deliver())[0]).toContain('A filter is no longer above 1\n');
    expect(await deliver()).toStrictEqual([]);
  });

  test('sends both mails if it is crossed and crossed back, at most once in batchSeconds', async () => {
    await subscribe({ notify: { below: 1 }, batchSeconds: 60 });
    const swing = async () => {
      await change({ ...till, tags: [] });
      wait(1_000);
      await change(till);
    };
    await swing();
    expect((await deliver()).map((text) => text.split('\n')[0]).toSorted()).toStrictEqual([
      'A filter is below 1',
      'A filter is no longer below 1',
    ]);
    for (let i = 0; i < 5; i++) await swing();
    expect(await deliver()).toStrictEqual([]);
    wait(60_000);
    expect(await deliver()).toHaveLength(2);
  });
});

/** Dependencies of the job that call `step` before each call to a store. */
function stepping(step: () => void): FilterMailsJobDeps {
  const { subscriptionQueue, memberships, filters, unitOfWork, sharedClock } = service.composition.backend;
  const watched = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function')
          return typeof method === 'object' ? watched(method as object) : method;
        return async (...args: unknown[]) => {
          step();
          return method.apply(target, args);
        };
      },
    });
  return {
    ...{ sharedClock, newId },
    ...{ subscriptionQueue: watched(subscriptionQueue), memberships: watched(memberships) },
    filters: watched(filters),
    unitOfWork: async (scope, work) => {
      step();
      return unitOfWork(scope, (tx) => work(watched(tx) as Transaction));
    },
  };
}

test('each change is mailed once, wherever the job is stopped', async () => {
  await subscribe({ recipients: [editors.idOf('A'), editors.idOf('P')], batchSeconds: 1 });
  let steps = 0;
  await change(device('counted', 'vip'));
  await makeFilterMailsJob(stepping(() => steps++)).run(STOP);
  expect(steps).toBeGreaterThan(10);
  for (let stopAt = 1; stopAt <= steps; stopAt++) {
    wait(1_000);
    await change(device(`host-${stopAt}-`, 'vip'));
    let left = stopAt;
    const stop = () => {
      if (--left === 0) throw new Error('stopped');
    };
    await expect(makeFilterMailsJob(stepping(stop)).run(STOP)).rejects.toThrow('stopped');
    // The claim of the stopped job expires.
    wait(60_000);
    await filterMails().run(STOP);
  }
  await send();
  for (let stopAt = 1; stopAt <= steps; stopAt++) {
    const told = mailServer.received.filter(({ email }) => email.text?.includes(`> host-${stopAt}-\n`));
    expect(told.flatMap(({ to }) => to)).toHaveLength(2);
  }
});
