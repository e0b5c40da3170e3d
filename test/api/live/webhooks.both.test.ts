/** Webhooks, from the API to a receiver over HTTP (Contract: §17). */
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCursorSigner } from '#adapters/auth/cursor-signer.ts';
import type { ChangesShape, DeliveryShape, SubscriptionShape } from '#adapters/http/live/live-shapes.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { makeWebhookJob, type WebhookJobDeps } from '#application/live/webhook-job.ts';
import type { DeviceRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { addEditors } from '#test/api/service/editors.ts';
import {
  type Ask,
  FILTERS,
  filterOf,
  type NewOrg,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice, anOrganization, aUser, movableClock, newId } from '#test/support/builders.ts';
import {
  answering,
  openReceiver,
  type Received,
  type WebhookReceiver,
} from '#test/support/http/webhook-receiver.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SUBSCRIPTIONS = '/api/v1/subscriptions';
const IS_VIP = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };

/** Signatures are verified against the real time. */
const begun = Date.now();
const { clock, moveTo } = movableClock(begun);
const NEVER = { stopping: new AbortController().signal, aborting: new AbortController().signal };

let service: TestService;
let receiver: WebhookReceiver;
let org: NewOrg;
let editor: UserRecord;
let ask: Ask;
let filterId: string;
let devices: readonly DeviceRecord[];

beforeAll(async () => {
  service = await startService({ outboundPrivate: true, overrides: { clock } });
});
afterAll(() => service.close());
beforeEach(async () => {
  moveTo(begun);
  receiver = await openReceiver();
  org = await service.inNewOrg(() => []);
  const membership = { scope: 'organization', orgId: org.orgId } as const;
  editor = aUser({ membership, permissions: ['devices:write'] });
  devices = ['a', 'b', 'c'].map((hostname) => aDevice({ orgId: org.orgId, hostname, tags: [] }));
  await load(editor, ...devices);
  ask = service.asUser(editor.id);
  filterId = filterOf(await ask('POST', FILTERS, { name: 'VIP', conditions: IS_VIP })).id;
});
afterEach(() => receiver.close());

const load = (...records: Parameters<typeof loadFleet>[1]) => loadFleet(service.composition.backend, records);

async function evaluate(): Promise<void> {
  const { backend } = service.composition;
  const evaluateNow = makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock });
  expect(await evaluateNow(org.partnerId)).toBe(true);
}

/** Delivers everything that is due at the instant. */
async function deliver(at = begun, given: Partial<WebhookJobDeps> = {}): Promise<void> {
  moveTo(at);
  const job = makeWebhookJob({ ...jobDeps(), ...given });
  await job.run(NEVER);
  await job.finish?.();
}

function jobDeps(): WebhookJobDeps {
  const { backend, log, sendWebhook } = service.composition;
  return {
    ...{ queue: backend.subscriptionQueue, memberships: backend.memberships, filters: backend.filters },
    ...{ unitOfWork: backend.unitOfWork, send: sendWebhook, newId, log },
    ...{ clock, sharedClock: backend.sharedClock },
    cursors: makeCursorSigner(backend.cursorKey),
    makeSystemEntry: makeSystemEntryFactory({ clock, newId }),
  };
}

interface Hook extends SubscriptionShape {
  readonly secret: string;
}

async function addHook(body: object = {}): Promise<Hook> {
  const sent = { filterId, name: 'Engine', kind: 'webhook', url: receiver.url, ...body };
  const { status, text, body: created } = await ask('POST', SUBSCRIPTIONS, sent);
  if (status !== 201) throw new Error(text);
  await evaluate();
  return created as Hook;
}

const tag = async (count: number, ...tags: readonly string[]) => {
  await load(...devices.slice(0, count).map((device) => ({ ...device, tags })));
  await evaluate();
};
const read = async ({ id }: Hook) => (await ask('GET', `${SUBSCRIPTIONS}/${id}`)).body as SubscriptionShape;
const post = ({ id }: Hook, path: string, body?: object) =>
  ask('POST', `${SUBSCRIPTIONS}/${id}/${path}`, body);
const deliveries = async ({ id }: Hook) =>
  ((await ask('GET', `${SUBSCRIPTIONS}/${id}/deliveries`)).body as { data: readonly DeliveryShape[] }).data;
const verified = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);
const bodyOf = ({ body }: Received) => JSON.parse(body) as { type: string; data: Data };

interface Data {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly changes: readonly { readonly seq: number; readonly hostname: string; readonly type: string }[];
}

test('the secret is shown once, and the URL in full', async () => {
  const { secret, ...hook } = await addHook();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(hook).toMatchObject({ kind: 'webhook', url: receiver.url, state: 'active', notify: null });
  expect(await read({ ...hook, secret })).toStrictEqual(hook);
});

test('changes are delivered and signed according to Standard Webhooks', async () => {
  const hook = await addHook();
  await deliver();
  expect(receiver.received).toStrictEqual([]);
  await tag(1, 'vip');
  await deliver();
  const [first] = receiver.received;
  if (first === undefined) throw new Error('nothing was told');
  expect(receiver.received).toHaveLength(1);
  expect(verified(hook.secret, first)).toStrictEqual({
    type: 'filter.members.changed',
    timestamp: new Date(begun).toISOString(),
    data: {
      ...{ subscriptionId: hook.id, filterId, filterName: 'VIP', orgId: org.orgId, partnerId: null },
      ...{ from: expect.any(String), to: expect.any(String), count: 1 },
      changes: [
        {
          ...{ seq: 1, at: new Date(begun).toISOString(), type: 'entered', deviceId: devices[0]?.id },
          ...{ hostname: 'a', cause: 'device', filterVersion: 1 },
        },
      ],
    },
  });
  const { from, to } = bodyOf(first).data;
  const page = (await ask('GET', `${SUBSCRIPTIONS}/${hook.id}/changes?cursor=${from}`)).body as ChangesShape;
  expect(page.data.map(({ seq }) => seq)).toStrictEqual([1]);
  expect(await deliveries(hook)).toStrictEqual([
    {
      ...{ id: first.headers['webhook-id'], at: new Date(begun).toISOString(), status: 'delivered' },
      ...{ httpStatus: 204, durationMs: expect.any(Number), error: null, from, to },
    },
  ]);
  await deliver();
  expect(receiver.received).toHaveLength(1);
});

test('a webhook of a partner-wide filter delivers changes of all organizations, and names the partner', async () => {
  const { partnerId } = org;
  const membership = { scope: 'partner', partnerId, orgIds: null } as const;
  const staff = aUser({ membership, permissions: ['devices:write'] });
  const other = anOrganization({ partnerId });
  const elsewhere = aDevice({ orgId: other.id, hostname: 'elsewhere', tags: [] });
  await load(staff, other, elsewhere);
  ask = service.asUser(staff.id);
  const wide = filterOf(await ask('POST', FILTERS, { name: 'VIPs', conditions: IS_VIP, partnerId }));
  const hook = await addHook({ filterId: wide.id });
  await load({ ...elsewhere, tags: ['vip'] });
  await tag(1, 'vip');
  await deliver();
  const [told] = receiver.received;
  if (told === undefined) throw new Error('nothing was told');
  expect(verified(hook.secret, told)).toMatchObject({
    data: { filterId: wide.id, filterName: 'VIPs', orgId: null, partnerId, count: 2 },
  });
  expect(
    bodyOf(told)
      .data.changes.map(({ hostname }) => hostname)
      .sort(),
  ).toStrictEqual(['a', 'elsewhere']);
});

test('many changes come in order, 100 at a time', async () => {
  devices = Array.from({ length: 250 }, (_, i) => aDevice({ orgId: org.orgId, hostname: `d${i}`, tags: [] }));
  await load(...devices);
  await addHook();
  await tag(250, 'vip');
  await deliver();
  const told = receiver.received.map((each) => bodyOf(each).data);
  expect(told.map(({ count, changes }) => [count, changes.length])).toStrictEqual([
    [100, 100],
    [100, 100],
    [50, 50],
  ]);
  expect(told.flatMap(({ changes }) => changes.map(({ seq }) => seq))).toStrictEqual(
    Array.from({ length: 250 }, (_, i) => i + 1),
  );
});

test('a failed delivery is retried on schedule for over a day, with the same id and body', async () => {
  const hook = await addHook();
  receiver.answer = answering(500);
  await tag(1, 'vip');
  let at = begun;
  const threeHours = Array.from({ length: 8 }, () => 3 * HOUR_MS);
  const waits = [0, 5_000, 30_000, 120_000, 600_000, HOUR_MS, ...threeHours];
  for (const wait of waits) {
    if (wait > 0) await deliver(at + wait - 1);
    at += wait;
    await deliver(at);
  }
  expect(receiver.received).toHaveLength(waits.length);
  expect(new Set(idsOf(receiver.received)).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(
    (await deliveries(hook)).map(({ status, httpStatus, error }) => [status, httpStatus, error]),
  ).toStrictEqual([['pending', 500, 'it answered 500']]);
  // Later changes wait for their turn.
  await tag(2, 'vip');
  receiver.answer = answering(200);
  receiver.received.length = 0;
  await deliver(at + 3 * HOUR_MS);
  expect(
    receiver.received.map((each) => bodyOf(each).data.changes.map(({ hostname }) => hostname)),
  ).toStrictEqual([['a'], ['b']]);
});

test('a webhook that fails for three days is paused, mails its creator, and resumes where it stopped', async () => {
  const hook = await addHook();
  receiver.answer = answering(503);
  await tag(1, 'vip');
  await deliver();
  await deliver(begun + 3 * DAY_MS - 1);
  expect((await read(hook)).state).toBe('active');
  await deliver(begun + 3 * DAY_MS);
  expect((await read(hook)).state).toBe('paused');
  const tries = receiver.received.length;
  await deliver(begun + 4 * DAY_MS);
  expect(receiver.received).toHaveLength(tries);
  const mails = (await service.composition.backend.mailOutbox.list('queued', 100)).filter(
    ({ kind, userId }) => kind === 'webhook-paused' && userId === editor.id,
  );
  expect(mails).toHaveLength(1);
  const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === hook.id);
  expect(entries.at(-1)).toMatchObject({
    ...{ action: 'subscription.updated', actor: { type: 'system' }, orgId: org.orgId },
    details: { name: 'Engine', state: 'paused' },
  });
  receiver.answer = answering(204);
  expect((await post(hook, 'resume')).body).toMatchObject({ id: hook.id, state: 'active' });
  await deliver(begun + 4 * DAY_MS);
  expect(new Set(idsOf(receiver.received)).size).toBe(1);
  expect((await deliveries(hook)).map(({ status }) => status)).toStrictEqual(['delivered']);
});

test('if the creator of a webhook is disabled, others who may change it get the mail', async () => {
  const membership = { scope: 'organization', orgId: org.orgId } as const;
  const other = aUser({ membership, permissions: ['devices:write'] });
  await load(other, aUser({ membership, permissions: ['users:write'] }));
  const hook = await addHook();
  receiver.answer = answering(503);
  await tag(1, 'vip');
  await deliver();
  await service.probe.changeUser(editor.id, { status: 'disabled' });
  await deliver(begun + 3 * DAY_MS);
  const queued = await service.composition.backend.mailOutbox.list('queued', 100);
  const others = [other.id, editor.id, org.userId];
  expect(
    queued
      .filter(({ kind, userId }) => kind === 'webhook-paused' && others.includes(userId))
      .map(({ userId }) => userId),
  ).toStrictEqual([other.id]);
  expect(hook.state).toBe('active');
});

test('the answer 410 ends a webhook', async () => {
  const hook = await addHook();
  receiver.answer = answering(410);
  await tag(1, 'vip');
  await deliver();
  expect((await read(hook)).state).toBe('ended');
  for (const path of ['resume', 'test', 'secret']) {
    expect(refusalOf(await post(hook, path))).toStrictEqual([409, 'conflict']);
  }
  await deliver(begun + DAY_MS);
  expect(receiver.received).toHaveLength(1);
});

describe('POST /subscriptions/:id/resume', () => {
  test('delivers everything after a cursor again', async () => {
    const hook = await addHook();
    await tag(1, 'vip');
    await deliver();
    await tag(2, 'vip');
    await deliver();
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing was told');
    receiver.received.length = 0;
    expect((await post(hook, 'resume', { from: bodyOf(first).data.from })).status).toBe(200);
    await deliver();
    expect(receiver.received.map((each) => bodyOf(each).data.changes.map(({ seq }) => seq))).toStrictEqual([
      [1, 2],
    ]);
  });

  test('skips waiting deliveries before the cursor', async () => {
    const hook = await addHook();
    receiver.answer = answering(500);
    await tag(1, 'vip');
    await deliver();
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing was told');
    await post(hook, 'resume', { from: bodyOf(first).data.to });
    receiver.answer = answering(204);
    await tag(2, 'vip');
    await deliver();
    expect(receiver.received.map((each) => bodyOf(each).data.changes.map(({ seq }) => seq))).toStrictEqual([
      [1],
      [2],
    ]);
    expect((await deliveries(hook)).map(({ status }) => status)).toStrictEqual(['delivered', 'failed']);
  });

  test('refuses a made-up cursor, one of another filter, and one whose changes are gone', async () => {
    const hook = await addHook();
    await tag(1, 'vip');
    await deliver();
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing was told');
    const second = filterOf(await ask('POST', FILTERS, { name: 'Other', conditions: IS_VIP }));
    const other = await addHook({ filterId: second.id });
    const page = await ask('GET', `${SUBSCRIPTIONS}/${other.id}/changes`);
    for (const from of ['made up', (page.body as ChangesShape).cursor]) {
      expect(refusalOf(await post(hook, 'resume', { from }))).toStrictEqual([400, 'invalid_cursor']);
    }
    await tag(3, 'vip');
    await service.composition.backend.memberships.forget(0, 1);
    const { from } = bodyOf(first).data;
    expect(refusalOf(await post(hook, 'resume', { from }))).toStrictEqual([410, 'cursor_expired']);
    expect(refusalOf(await post(hook, 'resume'))).toStrictEqual([410, 'cursor_expired']);
    await deliver();
    expect((await read(hook)).state).toBe('paused');
  });

  test('a feed has nothing to resume', async () => {
    const hook = await addHook({ kind: 'feed', url: null });
    expect(refusalOf(await post(hook, 'resume'))).toStrictEqual([409, 'conflict']);
  });
});

test('a paused webhook delivers nothing until PATCH continues it', async () => {
  const hook = await addHook();
  const patch = (body: object) => ask('PATCH', `${SUBSCRIPTIONS}/${hook.id}`, body);
  await addHook({ kind: 'feed', url: null });
  await patch({ state: 'paused' });
  await tag(1, 'vip');
  await deliver();
  expect(receiver.received).toHaveLength(0);
  await patch({ state: 'active' });
  await deliver();
  expect(receiver.received).toHaveLength(1);
});

test('a delivery is sent again on request, with the same id and body, even by a paused webhook', async () => {
  const hook = await addHook();
  await tag(1, 'vip');
  await deliver();
  await ask('PATCH', `${SUBSCRIPTIONS}/${hook.id}`, { state: 'paused' });
  const [told] = await deliveries(hook);
  const again = await post(hook, `deliveries/${told?.id}/redeliver`);
  expect([again.status, again.body]).toStrictEqual([202, told]);
  await deliver();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(idsOf(receiver.received)).size).toBe(1);
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  expect(refusalOf(await post(hook, `deliveries/${newId()}/redeliver`))).toStrictEqual([404, 'not_found']);
});

test('a test delivery is sent even without changes, and its answer has no effect', async () => {
  const hook = await addHook();
  receiver.answer = answering(410);
  const asked = await post(hook, 'test');
  expect([asked.status, asked.body]).toMatchObject([202, { status: 'pending', from: null, to: null }]);
  await deliver();
  const [sent] = receiver.received;
  if (sent === undefined) throw new Error('nothing was sent');
  expect(verified(hook.secret, sent)).toMatchObject({ type: 'filter.test', data: { filterName: 'VIP' } });
  expect((await deliveries(hook)).map(({ status, httpStatus }) => [status, httpStatus])).toStrictEqual([
    ['failed', 410],
  ]);
  expect((await read(hook)).state).toBe('active');
});

test('a renewed secret signs, together with the former one for a day', async () => {
  const hook = await addHook();
  const renewed = (await post(hook, 'secret')).body as { secret: string };
  await post(hook, 'test');
  await deliver();
  await post(hook, 'test');
  await deliver(begun + DAY_MS);
  const [first, second] = receiver.received;
  if (first === undefined || second === undefined) throw new Error('two tests were sent');
  expect(verified(renewed.secret, first)).toStrictEqual(verified(hook.secret, first));
  expect(String(first.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect(String(second.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === hook.id);
  expect(entries.at(-1)?.details).toStrictEqual({ filterId, name: 'Engine', fields: ['secret'] });
  expect(JSON.stringify(entries)).not.toContain('whsec_');
});

test('a redirect is not followed, and a huge answer is not read', async () => {
  const hook = await addHook();
  await post(hook, 'test');
  receiver.answer = (response) => void response.writeHead(307, { Location: receiver.url }).end();
  await deliver();
  await post(hook, 'test');
  receiver.answer = (response) => {
    response.writeHead(200);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
  await deliver();
  await post(hook, 'test');
  receiver.answer = (response) => void response.socket?.end('not HTTP at all\r\n\r\n');
  await deliver();
  expect((await deliveries(hook)).map(({ status, error }) => [status, error])).toStrictEqual([
    ['failed', 'it could not be reached'],
    ['delivered', null],
    ['failed', 'it answered 307'],
  ]);
});

class Killed extends Error {}

/** The job of a process that is killed before its call number `last`, and does nothing after it. */
function dyingDeps(last: number): { readonly deps: WebhookJobDeps; readonly isDead: () => boolean } {
  let calls = 0;
  const step = () => {
    if (calls >= last) throw new Killed();
    calls++;
  };
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'object' && member !== null) return dying(member);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          step();
          return Reflect.apply(member, target, given);
        };
      },
    });
  const alive = jobDeps();
  const deps: WebhookJobDeps = {
    ...alive,
    ...{ queue: dying(alive.queue), memberships: dying(alive.memberships), filters: dying(alive.filters) },
    unitOfWork: async (scope, work) => {
      const done = await alive.unitOfWork(scope, async (tx) => {
        const result = await work(dying(tx));
        // Before the commit.
        step();
        return result;
      });
      step();
      return done;
    },
    send: async (...given) => {
      step();
      return alive.send(...given);
    },
  };
  return { deps, isDead: () => calls >= last };
}

test('wherever the job is killed, every change is delivered in order, and repeats are identical', async () => {
  devices = Array.from({ length: 101 }, (_, i) => aDevice({ orgId: org.orgId, hostname: `k${i}`, tags: [] }));
  await load(...devices);
  const hook = await addHook();
  let at = begun;
  let isDead = true;
  let told = 0;
  for (let last = 0; isDead; last++) {
    await tag(devices.length, ...(last % 2 === 0 ? ['vip'] : []));
    told += devices.length;
    const dying = dyingDeps(last);
    await deliver(at, dying.deps).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    isDead = dying.isDead();
    // The claim of the killed job expires.
    at += 30_000;
    await deliver(at);
    const bodies = new Map(receiver.received.map((each) => [idsOf([each])[0], each.body]));
    // A repeat has the same id and body, and comes right after the first.
    const kept = receiver.received.filter((each, i) => idsOf([each])[0] !== idsOf(receiver.received)[i - 1]);
    expect(kept).toHaveLength(bodies.size);
    for (const each of receiver.received) expect(each.body).toBe(bodies.get(idsOf([each])[0]));
    const seqs = kept.flatMap((each) => bodyOf(each).data.changes.map(({ seq }) => seq));
    expect(seqs).toStrictEqual(Array.from({ length: told }, (_, i) => i + 1));
  }
  expect((await deliveries(hook)).every(({ status }) => status === 'delivered')).toBe(true);
}, 60_000);

test('receivers that hang delay nobody else', async () => {
  const silent = await openReceiver();
  silent.answer = () => undefined;
  const abort = new AbortController();
  for (let i = 0; i < 20; i++) await addHook({ name: `Silent ${i}`, url: silent.url });
  const hook = await addHook();
  await tag(1, 'vip');
  const job = makeWebhookJob(jobDeps());
  const stop = { stopping: abort.signal, aborting: abort.signal };
  await job.run(stop);
  await expect.poll(() => silent.received.length).toBe(20);
  await expect
    .poll(async () => (await deliveries(hook)).map(({ status }) => status))
    .toStrictEqual(['delivered']);
  abort.abort();
  await silent.close();
  await job.finish?.();
  expect(receiver.received).toHaveLength(1);
});

test('other tenants have no access to a webhook, and changing it needs devices:write', async () => {
  const hook = await addHook();
  await post(hook, 'test');
  const [made] = await deliveries(hook);
  const editors = await addEditors(service);
  const paths = ['resume', 'test', 'secret', `deliveries/${made?.id}/redeliver`];
  const colleague = aUser({ membership: { scope: 'organization', orgId: org.orgId }, permissions: [] });
  await load(colleague);
  for (const path of paths) {
    const url = `${SUBSCRIPTIONS}/${hook.id}/${path}`;
    expect(refusalOf(await editors.as('A')('POST', url))).toStrictEqual([404, 'not_found']);
    expect(refusalOf(await service.asUser(colleague.id)('POST', url))).toStrictEqual([403, 'forbidden']);
  }
  const list = `${SUBSCRIPTIONS}/${hook.id}/deliveries`;
  expect(refusalOf(await editors.as('A')('GET', list))).toStrictEqual([404, 'not_found']);
  expect((await service.asUser(colleague.id)('GET', list)).status).toBe(200);
});
