/** Members and changes of watched filters over HTTP (Contract: §17). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Impact } from '#adapters/http/filters/impact-shapes.ts';
import type { ChangeShape, ChangesShape, MembersHead } from '#adapters/http/live/live-shapes.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  type NewOrg,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import {
  aDevice,
  aFilter,
  anApiKey,
  anOrganization,
  aUser,
  located,
  newId,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SUBSCRIPTIONS = '/api/v1/subscriptions';
const IS_VIP = { operator: 'AND', conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }] };

let service: TestService;
let org: NewOrg;
/** As a user of the organization with devices:write. */
let ask: NewOrg['ask'];
let filterId: string;
let path: string;
let till: DeviceRecord;
let kiosk: DeviceRecord;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  org = await service.inNewOrg(() => []);
  const membership = { scope: 'organization', orgId: org.orgId } as const;
  const editor = aUser({ membership, permissions: ['devices:write'] });
  till = aDevice({ orgId: org.orgId, hostname: 'till-7', tags: ['vip'] });
  kiosk = aDevice({ orgId: org.orgId, hostname: 'kiosk', tags: [] });
  await load(editor, till, kiosk);
  ask = service.asUser(editor.id);
  filterId = filterOf(await ask('POST', FILTERS, { name: 'VIP', conditions: IS_VIP })).id;
  const created = await ask('POST', SUBSCRIPTIONS, { filterId, name: 'Ring', kind: 'feed' });
  path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
  await evaluate();
});

const load = (...records: Parameters<typeof loadFleet>[1]) => loadFleet(service.composition.backend, records);

async function evaluate(): Promise<void> {
  const { backend, clock } = service.composition;
  const evaluateNow = makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock });
  expect(await evaluateNow(org.partnerId)).toBe(true);
}

async function tag(device: DeviceRecord, ...tags: readonly string[]): Promise<void> {
  await load({ ...device, tags });
  await evaluate();
}

async function members(): Promise<MembersHead & { readonly ids: readonly string[] }> {
  const { status, text, headers } = await ask('GET', `${path}/members`);
  expect([status, headers.get('content-type')]).toStrictEqual([200, 'application/x-ndjson']);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toStrictEqual({ end: true });
  return { ...lines[0], ids: lines.slice(1, -1).map(({ id }) => id) };
}

function changesOf({ status, text, body }: Answer): ChangesShape {
  if (status !== 200) throw new Error(`no changes were answered: ${status} ${text}`);
  return body as ChangesShape;
}
const changes = async (query = '') => changesOf(await ask('GET', `${path}/changes${query}`));
const shortly = ({ seq, type, hostname, cause }: ChangeShape) => [seq, type, hostname, cause];

/** The events of a stream, as they come; comments are left out. */
async function openStream(headers: Readonly<Record<string, string>> = {}, query = '') {
  const credential = { 'X-API-Key': await newKey() };
  const answer = await service.composition.app.request(`${path}/changes${query}`, {
    headers: { Accept: 'text/event-stream', ...credential, ...headers },
  });
  expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'text/event-stream']);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    /** Null at the end of the stream. */
    async next(): Promise<{ readonly id: string; readonly change: ChangeShape } | null> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const { done, value } = await reader.read();
          if (done) return null;
          text += Buffer.from(value).toString();
          continue;
        }
        const [first = '', second = ''] = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (first.startsWith('id: ')) return { id: first.slice(4), change: JSON.parse(second.slice(6)) };
      }
    },
    close: () => reader.cancel(),
  };
}

async function newKey(): Promise<string> {
  const key = anApiKey({ userId: org.userId });
  await load(key);
  return key.key;
}

test('the feed has exactly the changes that the impact of an edit predicted', async () => {
  await tag(kiosk, 'spare');
  const conditions = {
    operator: 'AND',
    conditions: [{ field: 'hostname', operator: 'equals', value: 'kiosk' }],
  };
  const { body } = await ask('POST', `${FILTERS}/${filterId}/impact`, { conditions });
  const { entering, leaving, samples } = (body as { readonly data: Impact }).data;
  const { cursor } = await members();
  await ask('PATCH', `${FILTERS}/${filterId}`, { conditions });
  await evaluate();
  const { data } = await changes(`?cursor=${cursor}`);
  const told = (type: string) => data.filter((change) => change.type === type);
  expect([told('entered'), told('left')].map(({ length }) => length)).toStrictEqual([entering, leaving]);
  expect(told('entered')).toMatchObject([{ deviceId: samples.entering[0]?.id, cause: 'filter' }]);
  expect(told('left')).toMatchObject([{ deviceId: samples.leaving[0]?.id, cause: 'filter' }]);
});

test('an edit of a filter reaches the feed of a filter that refers to it, even indirectly', async () => {
  const { backend, clock } = service.composition;
  const evaluateNow = makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock });
  const naming = (id: string) => ({
    operator: 'AND',
    conditions: [{ field: 'filter', operator: 'equals', value: id }],
  });
  const save = async (conditions: object) =>
    filterOf(await ask('POST', FILTERS, { name: 'F', conditions })).id;
  const outer = await save(naming(await save(naming(filterId))));
  const created = await ask('POST', SUBSCRIPTIONS, { filterId: outer, name: 'Ring', kind: 'feed' });
  path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
  await evaluateNow(org.partnerId);
  await evaluateNow(org.partnerId);
  const { cursor, ids } = await members();
  expect(ids).toStrictEqual([till.id]);
  await load({ ...kiosk, tags: ['vip'] });
  await evaluateNow(org.partnerId);
  const conditions = {
    operator: 'AND',
    conditions: [{ field: 'hostname', operator: 'equals', value: 'kiosk' }],
  };
  await ask('PATCH', `${FILTERS}/${filterId}`, { conditions });
  await evaluateNow(org.partnerId);
  const { data } = await changes(`?cursor=${cursor}`);
  expect(data.map(shortly)).toStrictEqual([
    [1, 'entered', 'kiosk', 'device'],
    [2, 'left', 'till-7', 'filter'],
  ]);
});

test('the feed of a loaded filter gets members once the filter that it refers to is loaded', async () => {
  const inner = aFilter({ orgId: org.orgId, createdBy: newId(), conditions: IS_VIP });
  // As from a dump, whose filters may refer to deleted ones.
  const outer = aFilter({
    ...{ orgId: org.orgId, createdBy: newId(), name: 'Outer', version: 2 },
    conditions: { operator: 'AND', conditions: [{ field: 'filter', operator: 'equals', value: inner.id }] },
  });
  await load(outer);
  const created = await ask('POST', SUBSCRIPTIONS, { filterId: outer.id, name: 'Ring', kind: 'feed' });
  path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
  await evaluate();
  await evaluate();
  expect(refusalOf(await ask('GET', `${path}/members`))).toStrictEqual([409, 'conflict']);
  await load(inner);
  await evaluate();
  expect((await members()).ids).toStrictEqual([till.id]);
});

describe('GET /subscriptions/:id/members', () => {
  test('answers the members, and the cursor from which the changes continue', async () => {
    const before = await members();
    expect(before).toStrictEqual({
      cursor: expect.any(String),
      ...{ count: 1, filterVersion: 1, evaluatedAt: expect.stringMatching(/Z$/), ids: [till.id] },
    });
    await tag(kiosk, 'vip');
    await tag(till);
    const { data, more } = await changes(`?cursor=${before.cursor}`);
    expect([data.map(shortly), more]).toStrictEqual([
      [
        [1, 'entered', 'kiosk', 'device'],
        [2, 'left', 'till-7', 'device'],
      ],
      false,
    ]);
    expect((await members()).ids).toStrictEqual([kiosk.id]);
  });

  test('waits for the first evaluation of a filter that was just subscribed to', async () => {
    const other = filterOf(await ask('POST', FILTERS, { name: 'VIP 2', conditions: IS_VIP })).id;
    const created = await ask('POST', SUBSCRIPTIONS, { filterId: other, name: 'Ring', kind: 'feed' });
    path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
    const asked = members();
    // Longer than two looks at the feed.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await evaluate();
    expect((await asked).ids).toStrictEqual([till.id]);
  });
});

describe('GET /subscriptions/:id/changes', () => {
  test('pages through the changes in order, and says whether there are more', async () => {
    const { cursor } = await members();
    for (const device of [till, kiosk]) await tag(device, ...(device === till ? [] : ['vip']));
    await load({ ...aDevice({ orgId: org.orgId, hostname: 'desk', tags: ['vip'] }) });
    await evaluate();
    const first = await changes(`?cursor=${cursor}&limit=2`);
    expect([first.data.map(shortly), first.more]).toStrictEqual([
      [
        [1, 'left', 'till-7', 'device'],
        [2, 'entered', 'kiosk', 'device'],
      ],
      true,
    ]);
    const second = await changes(`?cursor=${first.cursor}&limit=2`);
    expect([second.data.map(shortly), second.more]).toStrictEqual([
      [[3, 'entered', 'desk', 'device']],
      false,
    ]);
    expect(await changes(`?cursor=${second.cursor}`)).toStrictEqual({
      data: [],
      ...{ cursor: second.cursor, more: false },
    });
  });

  test('answers the latest changes, and the cursor from which to continue', async () => {
    expect((await changes('?latest=2')).data).toStrictEqual([]);
    for (const tags of [[], ['vip'], []]) await tag(till, ...tags);
    const { data, cursor, more } = await changes('?latest=2');
    expect([data.map(shortly), more]).toStrictEqual([
      [
        [2, 'entered', 'till-7', 'device'],
        [3, 'left', 'till-7', 'device'],
      ],
      false,
    ]);
    await tag(till, 'vip');
    expect((await changes(`?cursor=${cursor}`)).data.map(({ seq }) => seq)).toStrictEqual([4]);
    const both = await ask('GET', `${path}/changes?latest=2&cursor=${cursor}`);
    expect(both.body).toMatchObject({ status: 400, errors: [{ path: 'latest' }] });
  });

  test('GET /devices/:id/filters says since when a device matches a watched filter', async () => {
    const other = filterOf(await ask('POST', FILTERS, { name: 'VIP too', conditions: IS_VIP })).id;
    await tag(kiosk, 'vip');
    const { data } = await changes('?latest=1');
    const { body } = await ask('GET', `/api/v1/devices/${kiosk.id}/filters`);
    expect((body as { data: unknown }).data).toStrictEqual([
      { id: filterId, name: 'VIP', since: data[0]?.at },
      { id: other, name: 'VIP too', since: null },
    ]);
  });

  test('without a cursor, begins now', async () => {
    await tag(kiosk, 'vip');
    const { data, cursor } = await changes();
    expect(data).toStrictEqual([]);
    await tag(kiosk);
    expect((await changes(`?cursor=${cursor}`)).data.map(shortly)).toStrictEqual([
      [2, 'left', 'kiosk', 'device'],
    ]);
  });

  test('a wait ends with the first change', async () => {
    const { cursor } = await members();
    const waiting = changes(`?cursor=${cursor}&wait=30`);
    await tag(kiosk, 'vip');
    expect((await waiting).data.map(shortly)).toStrictEqual([[1, 'entered', 'kiosk', 'device']]);
  });

  test('an edit of the filter and the deletion of a device are named as causes', async () => {
    const { cursor } = await members();
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'equals', value: 'kiosk' }],
    };
    expect((await ask('PATCH', `${FILTERS}/${filterId}`, { conditions })).status).toBe(200);
    await evaluate();
    expect((await ask('DELETE', `/api/v1/devices/${kiosk.id}`)).status).toBeLessThan(300);
    await evaluate();
    const { data } = await changes(`?cursor=${cursor}`);
    expect(data.map((change) => [...shortly(change), change.filterVersion]).sort()).toStrictEqual([
      [1, expect.any(String), expect.any(String), 'filter', 2],
      [2, expect.any(String), expect.any(String), 'filter', 2],
      [3, 'left', null, 'deleted', 2],
    ]);
  });

  test('refuses altered cursors, those of other filters, and those of forgotten changes', async () => {
    const { cursor } = await members();
    const bad = [`${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`, 'x', ''];
    for (const each of bad) {
      expect(refusalOf(await ask('GET', `${path}/changes?cursor=${each}`))).toStrictEqual([
        400,
        'invalid_cursor',
      ]);
    }
    await tag(kiosk, 'vip');
    await service.composition.backend.memberships.forget(service.composition.clock() + 60_000, 0);
    expect(refusalOf(await ask('GET', `${path}/changes?cursor=${cursor}`))).toStrictEqual([
      410,
      'cursor_expired',
    ]);
    const other = filterOf(await ask('POST', FILTERS, { name: 'VIP 2', conditions: IS_VIP })).id;
    const created = await ask('POST', SUBSCRIPTIONS, { filterId: other, name: 'Ring', kind: 'feed' });
    path = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
    expect(refusalOf(await ask('GET', `${path}/changes?cursor=${cursor}`))).toStrictEqual([
      400,
      'invalid_cursor',
    ]);
  });

  test.each(['limit=0', 'limit=1001', 'wait=31', 'wait=x'])('refuses %s', async (query) => {
    const [name = ''] = query.split('=');
    expect(refusalOf(await ask('GET', `${path}/changes?${query}`))).toStrictEqual([
      400,
      'validation_failed',
      [name, 'out_of_range'],
    ]);
  });

  test('an ended subscription keeps its changes and members', async () => {
    const { cursor } = await members();
    await tag(kiosk, 'vip');
    expect((await ask('DELETE', `${FILTERS}/${filterId}?force=true`)).status).toBe(200);
    await tag(kiosk);
    expect((await changes(`?cursor=${cursor}`)).data.map(shortly)).toStrictEqual([
      [1, 'entered', 'kiosk', 'device'],
    ]);
    expect((await members()).ids.toSorted()).toStrictEqual([till.id, kiosk.id].sort());
  });
});

test('a consumer restored from a backup gets the same changes again, or after the retention the members', async () => {
  const { cursor: backedUp } = await members();
  await tag(kiosk, 'vip');
  const before = await changes(`?cursor=${backedUp}`);
  await tag(till);
  await changes(`?cursor=${before.cursor}`);
  const again = await changes(`?cursor=${backedUp}`);
  expect(again.data.slice(0, 1)).toStrictEqual(before.data);
  expect(again.data.map(shortly)).toStrictEqual([
    [1, 'entered', 'kiosk', 'device'],
    [2, 'left', 'till-7', 'device'],
  ]);
  await service.composition.backend.memberships.forget(0, 1);
  expect(refusalOf(await ask('GET', `${path}/changes?cursor=${backedUp}`))[0]).toBe(410);
  const snapshot = await members();
  expect(snapshot.ids).toStrictEqual([kiosk.id]);
  await tag(till, 'vip');
  expect((await changes(`?cursor=${snapshot.cursor}`)).data.map(shortly)).toStrictEqual([
    [3, 'entered', 'till-7', 'device'],
  ]);
});

describe('as server-sent events', () => {
  test('each change is an event, whose id is a cursor', async () => {
    const { cursor } = await members();
    const stream = await openStream({}, `?cursor=${cursor}`);
    await tag(kiosk, 'vip');
    const first = await stream.next();
    expect(shortly(first?.change as ChangeShape)).toStrictEqual([1, 'entered', 'kiosk', 'device']);
    await tag(till);
    expect(shortly((await stream.next())?.change as ChangeShape)).toStrictEqual([
      2,
      'left',
      'till-7',
      'device',
    ]);
    await stream.close();
    expect((await changes(`?cursor=${first?.id}`)).data.map(({ seq }) => seq)).toStrictEqual([2]);
  });

  test('Last-Event-ID takes precedence over the cursor in the address', async () => {
    const { cursor } = await members();
    await tag(kiosk, 'vip');
    const { cursor: last } = await changes(`?cursor=${cursor}`);
    await tag(kiosk);
    const stream = await openStream({ 'Last-Event-ID': last }, `?cursor=${cursor}`);
    expect((await stream.next())?.change.seq).toBe(2);
    await stream.close();
  });

  test('a stream ends when its user is disabled', async () => {
    const stream = await openStream();
    await service.probe.changeUser(org.userId, { status: 'disabled' });
    expect(await stream.next()).toBeNull();
  });

  test('a bad cursor is answered with a problem', async () => {
    const answer = await ask('GET', `${path}/changes?cursor=x`, undefined, { Accept: 'text/event-stream' });
    expect(refusalOf(answer)).toStrictEqual([400, 'invalid_cursor']);
  });
});

describe('GET /filters/:id/history', () => {
  const history = async (query = '') =>
    (await ask('GET', `${FILTERS}/${filterId}/history${query}`)).body as {
      readonly data: readonly { readonly at: string; readonly count: number }[];
    };

  test('has the number of members since the first subscription', async () => {
    const to = new Date(service.composition.clock() + 60_000).toISOString();
    expect((await history()).data.at(-1)?.count).toBe(1);
    await tag(kiosk, 'vip');
    const { data } = await history(`?to=${to}`);
    expect([data[0]?.count, data.at(-1)?.count]).toStrictEqual([1, 2]);
    expect(data.length).toBeLessThanOrEqual(1_000);
    expect(data.map(({ at }) => at)).toStrictEqual(data.map(({ at }) => at).toSorted());
  });

  test('is empty before the first subscription, and without any', async () => {
    expect(await history('?to=2020-01-01')).toStrictEqual({ data: [] });
    const { backend } = service.composition;
    for (const { id } of await backend.subscriptions.list(SYSTEM_SCOPE, filterId as never)) {
      expect((await ask('DELETE', `${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
    }
    expect(await history()).toStrictEqual({ data: [] });
  });
});

test('after the retention nothing is kept of a deleted filter', async () => {
  const cursor = (await members()).cursor;
  await ask('DELETE', `${FILTERS}/${filterId}?force=true`);
  const { backend, clock } = service.composition;
  await backend.memberships.forget(clock() + 1, 1);
  for (const rest of ['members', `changes?cursor=${cursor}`]) {
    const answer = await ask('GET', `${path}/${rest}`);
    expect([...refusalOf(answer), answer.text.includes('no longer kept')]).toStrictEqual([
      409,
      'conflict',
      true,
    ]);
  }
});

test('a partner-wide filter has the devices of all organizations of the partner, including new ones', async () => {
  const { partnerId } = org;
  const staff = aUser({
    membership: { scope: 'partner', partnerId, orgIds: null },
    permissions: ['devices:write'],
  });
  await load(staff);
  const asStaff = service.asUser(staff.id);
  const filter = filterOf(await asStaff('POST', FILTERS, { name: 'VIPs', conditions: IS_VIP, partnerId }));
  const created = await asStaff('POST', SUBSCRIPTIONS, { filterId: filter.id, name: 'All', kind: 'feed' });
  const everywhere = `${SUBSCRIPTIONS}/${(created.body as { id: string }).id}`;
  await evaluate();
  const { cursor } = JSON.parse((await asStaff('GET', `${everywhere}/members`)).text.split('\n')[0] ?? '');
  expect(refusalOf(await ask('GET', `${everywhere}/members`))).toStrictEqual([403, 'forbidden']);
  const added = anOrganization({ partnerId });
  const elsewhere = aDevice({ orgId: added.id, hostname: 'elsewhere', tags: ['vip'] });
  await load(added, elsewhere);
  await evaluate();
  await load({ ...elsewhere, tags: [] });
  await tag(kiosk, 'vip');
  const moved = await service.composition.backend.fleetWriter(
    located([{ ...till, orgId: added.id }]),
    undefined,
    undefined,
    { allowMoves: true },
  );
  expect(moved.ok).toBe(true);
  await evaluate();
  const { data } = changesOf(await asStaff('GET', `${everywhere}/changes?cursor=${cursor}`));
  expect(data.map((change) => shortly(change).slice(1)).sort()).toStrictEqual([
    ['entered', 'elsewhere', 'device'],
    ['entered', 'kiosk', 'device'],
    ['left', 'elsewhere', 'device'],
  ]);
  // For the organization it is a move.
  expect((await changes('?latest=1')).data.map(shortly)).toMatchObject([[2, 'left', 'till-7', 'moved']]);
  const history = await asStaff('GET', `${FILTERS}/${filter.id}/history`);
  expect((history.body as { data: readonly { count: number }[] }).data.at(-1)?.count).toBe(2);
});
