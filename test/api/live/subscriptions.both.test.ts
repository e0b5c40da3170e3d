/** Subscriptions over HTTP (Contract: §17). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { newId, ONLINE_CONDITIONS, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { UUID_V7 } from '#test/support/shapes.ts';

const SUBSCRIPTIONS = '/api/v1/subscriptions';

let service: TestService;
let editors: Editors;
let filterId: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
  filterId = await newFilter('A');
});

interface SubscriptionBody {
  readonly id: string;
  readonly filterId: string;
  readonly name: string;
  readonly kind: string;
  readonly state: string;
}

async function newFilter(name: EditorName, body: object = {}): Promise<string> {
  const sent = { name: 'Online', conditions: ONLINE_CONDITIONS, ...body };
  return filterOf(await editors.as(name)('POST', FILTERS, sent)).id;
}

function subscriptionOf({ status, text, body }: Answer): SubscriptionBody {
  if (status !== 200 && status !== 201) throw new Error(`no subscription was answered: ${status} ${text}`);
  return body as SubscriptionBody;
}
const create = (body: object = {}, name: EditorName = 'A') =>
  editors.as(name)('POST', SUBSCRIPTIONS, { filterId, name: 'Ring 1', kind: 'feed', ...body });
const read = (id: string, name: EditorName = 'A') => editors.as(name)('GET', `${SUBSCRIPTIONS}/${id}`);
const patch = (id: string, body: object, name: EditorName = 'A') =>
  editors.as(name)('PATCH', `${SUBSCRIPTIONS}/${id}`, body);
const remove = (id: string, name: EditorName = 'A') => editors.as(name)('DELETE', `${SUBSCRIPTIONS}/${id}`);
const list = async (query = '', name: EditorName = 'A') =>
  ((await editors.as(name)('GET', SUBSCRIPTIONS + query)).body as { data: readonly SubscriptionBody[] }).data;
const deleteFilter = (query = '') => editors.as('A')('DELETE', `${FILTERS}/${filterId}${query}`);
const entriesAfter = async (count: number) =>
  (await service.probe.auditEntries()).slice(count).map(({ action, result, orgId, resourceId, details }) => ({
    ...{ action, result, orgId, resourceId, details },
  }));
const countEntries = async () => (await service.probe.auditEntries()).length;

describe('POST /subscriptions', () => {
  test('answers 201 with the subscription and its Location, and audits it', async () => {
    const before = await countEntries();
    const answer = await create();
    const subscription = subscriptionOf(answer);
    expect([answer.status, subscription]).toStrictEqual([
      201,
      {
        id: expect.stringMatching(UUID_V7),
        ...{ filterId, name: 'Ring 1', kind: 'feed', state: 'active' },
        ...{ url: null, recipients: null, notify: null, batchSeconds: null, guard: null },
        createdBy: editors.idOf('A'),
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(answer.headers.get('location')).toBe(`${SUBSCRIPTIONS}/${subscription.id}`);
    expect((await read(subscription.id)).body).toStrictEqual(subscription);
    expect(await entriesAfter(before)).toStrictEqual([
      {
        ...{ action: 'subscription.created', result: 'success', orgId: editors.a },
        resourceId: subscription.id,
        details: { filterId, name: 'Ring 1' },
      },
    ]);
  });

  test('names every fault, and changes nothing', async () => {
    const before = await countEntries();
    const answer = await create({ filterId: 'x', name: ' ', kind: 'pigeon' });
    expect(refusalOf(answer)).toStrictEqual([
      400,
      'validation_failed',
      ['filterId', 'unknown_filter'],
      ['name', 'invalid_value'],
      ['kind', 'invalid_value'],
    ]);
    expect([await list(), await countEntries()]).toStrictEqual([[], before]);
  });

  test('a guard has a limit of devices, of percent, or both, and can be changed and removed', async () => {
    const { id } = subscriptionOf(await create({ guard: { devices: 25 } }));
    expect((await read(id)).body).toMatchObject({ guard: { devices: 25 } });
    const guard = { devices: 0, percent: 2.5 };
    expect((await patch(id, { guard })).body).toMatchObject({ guard, name: 'Ring 1' });
    const before = await countEntries();
    expect((await patch(id, { guard: null })).body).toMatchObject({ guard: null });
    expect(await entriesAfter(before)).toMatchObject([
      { details: { filterId, name: 'Ring 1', fields: ['guard'] } },
    ]);
    for (const wrong of [{}, { devices: -1 }, { devices: 1.5 }, { percent: 101 }, { share: 3 }, 5]) {
      expect(refusalOf(await create({ guard: wrong }))).toStrictEqual([
        400,
        'validation_failed',
        ['guard', 'invalid_value'],
      ]);
    }
  });

  test('a feed has none of the settings of other kinds', async () => {
    const absent = { url: null, recipients: null, notify: null, batchSeconds: null };
    const { id } = subscriptionOf(await create(absent));
    const foreign = {
      url: 'https://hooks.example',
      recipients: [newId()],
      notify: 'changes',
      batchSeconds: 60,
    };
    for (const answer of [await create(foreign), await patch(id, foreign)]) {
      expect(refusalOf(answer)).toStrictEqual([
        400,
        'validation_failed',
        ['url', 'invalid_value'],
        ['recipients', 'invalid_value'],
        ['notify', 'invalid_value'],
        ['batchSeconds', 'invalid_value'],
      ]);
    }
  });

  test('answers the same for a filter of another tenant and an unknown one', async () => {
    const theirs = await create({}, 'Q');
    const none = await create({ filterId: newId() }, 'Q');
    expect(refusalOf(theirs)).toStrictEqual([400, 'validation_failed', ['filterId', 'unknown_filter']]);
    expect(problemOf(theirs).errors).toStrictEqual(problemOf(none).errors);
  });

  test('for a partner-wide filter: organizations can read the subscription, only the partner can change it', async () => {
    const ofPartner = await newFilter('P', { partnerId: editors.p });
    const before = await countEntries();
    expect(refusalOf(await create({ filterId: ofPartner }, 'A'))).toStrictEqual([403, 'forbidden']);
    const { id } = subscriptionOf(await create({ filterId: ofPartner }, 'P'));
    const entries = (await service.probe.auditEntries()).slice(before);
    expect(entries.map(({ result, orgId, partnerId }) => [result, orgId, partnerId])).toStrictEqual([
      ['denied', editors.a, null],
      ['success', null, editors.p],
    ]);
    expect(subscriptionOf(await read(id, 'A'))).toMatchObject({ id, filterId: ofPartner });
    expect(await list(`?filterId=${ofPartner}`, 'A')).toMatchObject([{ id }]);
    const follow = (path: string, method: 'GET' | 'POST' = 'GET', name: EditorName = 'A') =>
      editors.as(name)(method, `${SUBSCRIPTIONS}/${id}${path}`, ...(method === 'POST' ? [{}] : []));
    const refused = [
      ...[patch(id, { name: 'Other' }), remove(id), follow('/members'), follow('/changes')],
      ...[
        follow('/deliveries'),
        follow('/test', 'POST'),
        follow('/secret', 'POST'),
        follow('/resume', 'POST'),
      ],
    ];
    for (const answer of await Promise.all(refused)) {
      expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
    }
    const history = await editors.as('A')('GET', `${FILTERS}/${ofPartner}/history`);
    expect(history.body).toStrictEqual({ data: [] });
    const unknown = [read(id, 'Q'), patch(id, { name: 'Other' }, 'Q'), follow('/members', 'GET', 'Q')];
    for (const answer of await Promise.all(unknown)) {
      expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
    }
    expect(await list('', 'Q')).toStrictEqual([]);
    expect(await list(`?filterId=${ofPartner}`, 'P')).toMatchObject([{ id }]);
    expect(subscriptionOf(await patch(id, { state: 'paused' }, 'P')).state).toBe('paused');
    expect((await remove(id, 'P')).status).toBe(204);
  });

  test('needs devices:write, and audits the attempt', async () => {
    const before = await countEntries();
    expect(refusalOf(await create({}, 'user'))).toStrictEqual([403, 'forbidden']);
    expect(await entriesAfter(before)).toStrictEqual([
      {
        ...{ action: 'subscription.created', result: 'denied', orgId: editors.a, resourceId: null },
        details: { reason: 'forbidden' },
      },
    ]);
  });

  test('an organization has at most 200 subscriptions, not counting ended ones', async () => {
    const { backend } = service.composition;
    const { id } = subscriptionOf(await create());
    const known = await backend.subscriptions.find(SYSTEM_SCOPE, id as never);
    if (known === null) throw new Error('it was created');
    await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      for (let i = 1; i < 200; i++) {
        await tx.subscriptions.add({ ...known, id: newId<'subscription'>(), state: 'paused' });
      }
      await tx.subscriptions.add({ ...known, id: newId<'subscription'>(), state: 'ended' });
    });
    expect(refusalOf(await create())).toStrictEqual([409, 'quota_exceeded']);
    expect((await remove(id)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

test('GET /subscriptions lists those in reach, of one filter or of all', async () => {
  const other = await newFilter('B');
  const mine = subscriptionOf(await create());
  const theirs = subscriptionOf(await create({ filterId: other }, 'B'));
  expect(await list()).toStrictEqual([mine]);
  expect((await list('', 'P')).map(({ id }) => id).sort()).toStrictEqual([mine.id, theirs.id].sort());
  expect(await list(`?filterId=${other}`, 'P')).toStrictEqual([theirs]);
  expect(await list(`?filterId=${other}`)).toStrictEqual([]);
  expect(await list('', 'user')).toStrictEqual([mine]);
  expect((await editors.as('A')('GET', `${SUBSCRIPTIONS}?filterId=x`)).status).toBe(400);
});

describe('PATCH /subscriptions/:id', () => {
  test('changes name and state, and audits which of them changed', async () => {
    const subscription = subscriptionOf(await create());
    const before = await countEntries();
    const answer = await patch(subscription.id, { ...subscription, name: 'Ring 2', state: 'paused' });
    expect(subscriptionOf(answer)).toStrictEqual({ ...subscription, name: 'Ring 2', state: 'paused' });
    expect(await entriesAfter(before)).toStrictEqual([
      {
        ...{ action: 'subscription.updated', result: 'success', orgId: editors.a },
        resourceId: subscription.id,
        details: { filterId, name: 'Ring 2', fields: ['name', 'state'] },
      },
    ]);
    expect((await patch(subscription.id, { name: 'Ring 2' })).status).toBe(200);
    expect((await entriesAfter(before)).length).toBe(1);
  });

  test('names every fault', async () => {
    const { id } = subscriptionOf(await create());
    const answer = await patch(id, { filterId: newId(), kind: 'mail', name: '', state: 'ended' });
    expect(refusalOf(answer)).toStrictEqual([
      400,
      'validation_failed',
      ['filterId', 'not_changeable'],
      ['kind', 'not_changeable'],
      ['name', 'invalid_value'],
      ['state', 'invalid_value'],
    ]);
  });
});

test('DELETE /subscriptions/:id deletes a subscription once, and audits it', async () => {
  const { id } = subscriptionOf(await create());
  const before = await countEntries();
  expect((await remove(id)).status).toBe(204);
  expect(refusalOf(await remove(id))).toStrictEqual([404, 'not_found']);
  expect(refusalOf(await read(id))).toStrictEqual([404, 'not_found']);
  expect((await entriesAfter(before)).map(({ action, result }) => [action, result])).toStrictEqual([
    ['subscription.deleted', 'success'],
    ['subscription.deleted', 'denied'],
  ]);
});

test.each(['B', 'Q'] as const)('%s has no access to a subscription of organization A', async (name) => {
  const { id } = subscriptionOf(await create());
  const answers = [
    await read(id, name),
    await patch(id, { name: 'Taken' }, name),
    await remove(id, name),
    await editors.as(name)('GET', `${SUBSCRIPTIONS}/${id}/members`),
    await editors.as(name)('GET', `${SUBSCRIPTIONS}/${id}/changes`),
    await editors.as(name)('GET', `${SUBSCRIPTIONS}/${id}/changes`, undefined, {
      Accept: 'text/event-stream',
    }),
    await editors.as(name)('GET', `${FILTERS}/${filterId}/history`),
  ];
  for (const answer of answers) expect(refusalOf(answer)).toStrictEqual([404, 'not_found']);
  expect((await read(id)).status).toBe(200);
});

test('changing a subscription needs devices:write', async () => {
  const { id } = subscriptionOf(await create());
  for (const answer of [await patch(id, { name: 'x' }, 'user'), await remove(id, 'user')]) {
    expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
  }
  expect((await read(id, 'user')).status).toBe(200);
});

describe('DELETE /filters/:id of a filter with subscriptions', () => {
  test('is refused, and names the subscriptions', async () => {
    const first = subscriptionOf(await create());
    const second = subscriptionOf(await create({ name: 'Ring 2' }));
    const answer = await deleteFilter();
    expect(refusalOf(answer)).toStrictEqual([409, 'filter_in_use']);
    const named = ({ id, name }: SubscriptionBody) => ({ kind: 'subscription', id, name });
    expect(answer.body).toMatchObject({ usedBy: [named(first), named(second)] });
    await remove(first.id);
    await remove(second.id);
    expect((await deleteFilter()).status).toBe(200);
  });

  test('ends the subscriptions by force; they can be read, and no longer changed', async () => {
    const { id } = subscriptionOf(await create());
    const before = await countEntries();
    expect((await deleteFilter('?force=true')).status).toBe(200);
    expect(await entriesAfter(before)).toMatchObject([
      { action: 'filter.delete', details: { name: 'Online', endedSubscriptions: 1 } },
    ]);
    const ended = subscriptionOf(await read(id));
    expect(ended.state).toBe('ended');
    expect((await patch(id, ended)).status).toBe(200);
    expect(refusalOf(await patch(id, { name: 'Ring 2' }))).toStrictEqual([409, 'conflict']);
    expect(refusalOf(await patch(id, { state: 'active' }))).toStrictEqual([409, 'conflict']);
    expect((await remove(id)).status).toBe(204);
  });
});
