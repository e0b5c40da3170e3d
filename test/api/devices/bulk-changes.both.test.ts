/** POST /devices/bulk and its undo: a test for each sentence of contract §10 about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CustomValue } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
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
import { aCustomField, aDevice, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const BULK = '/api/v1/devices/bulk';
const MINUTE_MS = 60_000;

let service: TestService;
let editors: Editors;
let ahead = 0;
/** Three devices in organization A and one in B, tagged `shop`. */
let devices: readonly DeviceRecord[];

beforeAll(async () => {
  service = await startService({ overrides: { clock: () => Date.now() + ahead } });
});
afterAll(() => service.close());

beforeEach(async () => {
  editors = await addEditors(service);
  const device = (orgId: OrgId, n: number) =>
    aDevice({
      orgId,
      hostname: `till-${n}`,
      tags: ['shop', `${n}`],
      status: 'online',
      custom: new Map<string, CustomValue>([['rack', `R${n}`]]),
    });
  devices = [device(editors.a, 1), device(editors.a, 2), device(editors.a, 3), device(editors.b, 4)];
  await loadFleet(service.composition.backend, [
    aCustomField({ owner: { kind: 'partner', partnerId: editors.p }, key: 'rack' }),
    aCustomField({ owner: { kind: 'organization', orgId: editors.a }, key: 'seats', type: 'number' }),
    aCustomField({ owner: { kind: 'organization', orgId: editors.b }, key: 'seats', type: 'text' }),
    aCustomField({ owner: { kind: 'organization', orgId: editors.a }, key: 'only_a' }),
    ...devices,
  ]);
});

const idOf = (n: number) => devices[n - 1]?.id ?? '';
const idsOf = (...ns: readonly number[]) => ns.map(idOf);
const bulk = (body: unknown, name: EditorName = 'A') => editors.as(name)('POST', BULK, body);
const undo = (operationId: string, name: EditorName = 'A') =>
  editors.as(name)('POST', `${BULK}/${operationId}/undo`);
const patch = (n: number, body: object) => editors.as('P')('PATCH', `/api/v1/devices/${idOf(n)}`, body);

interface Outcome {
  readonly changed: number;
  readonly unchanged: number;
  readonly operationId: string;
}

function outcomeOf<T = Outcome>({ status, text, body }: Answer): T {
  if (status !== 200) throw new Error(`nothing was changed: ${status} ${text}`);
  return body as T;
}

const bulkGood = async (body: object, name: EditorName = 'A') => outcomeOf(await bulk(body, name));
const undoGood = async ({ operationId }: Outcome, name: EditorName = 'A') =>
  outcomeOf<{ restored: number; skipped: number }>(await undo(operationId, name));

interface DeviceBody {
  readonly displayName: string | null;
  readonly tags: readonly string[];
  readonly status: string;
  readonly custom: readonly { readonly key: string; readonly value: unknown }[];
}

async function stateOf(n: number) {
  const { body } = await editors.as('P')('GET', `/api/v1/devices/${idOf(n)}`);
  const { tags, status, custom } = body as DeviceBody;
  return { tags, status, custom: Object.fromEntries(custom.map(({ key, value }) => [key, value])) };
}
const states = () => Promise.all([1, 2, 3, 4].map(stateOf));
const tagsOf = async (n: number) => (await stateOf(n)).tags;
const entries = async () =>
  (await service.probe.auditEntries()).filter(({ action }) => action.startsWith('device.bulk'));

describe('a bulk change', () => {
  test.each<readonly [string, () => object | Promise<object>, readonly number[]]>([
    ['a text', () => ({ q: 'tags:shop' }), [1, 2, 3]],
    ['a blank text, which are all', () => ({ q: ' ' }), [1, 2, 3]],
    [
      'conditions',
      () => ({
        conditions: {
          operator: 'AND',
          conditions: [{ field: 'hostname', operator: 'equals', value: 'till-2' }],
        },
      }),
      [2],
    ],
    ['ids', () => ({ ids: idsOf(1, 3) }), [1, 3]],
    ['repeated ids in either case, each once', () => ({ ids: [idOf(1), idOf(1).toUpperCase()] }), [1]],
    ['an empty list of ids, which are none', () => ({ ids: [] }), []],
    [
      'a saved filter',
      async () => {
        const conditions = {
          operator: 'AND',
          conditions: [{ field: 'tags', operator: 'contains', value: '3' }],
        };
        const saved = await editors.as('A')('POST', FILTERS, { name: 'Third', conditions });
        return { filterId: filterOf(saved).id };
      },
      [3],
    ],
  ])('changes the devices selected by %s', async (_, restriction, expected) => {
    const body = { ...(await restriction()), expectedCount: expected.length, change: { addTags: ['new'] } };
    const { changed, unchanged, operationId } = await bulkGood(body);
    expect([changed, unchanged, operationId]).toStrictEqual([expected.length, 0, expect.any(String)]);
    for (const n of [1, 2, 3, 4]) {
      expect(await tagsOf(n)).toStrictEqual(['shop', `${n}`, ...(expected.includes(n) ? ['new'] : [])]);
    }
  });

  test('changes devices of all organizations in reach, or of the one named', async () => {
    const change = { addTags: ['new'] };
    expect(await bulkGood({ q: '', expectedCount: 4, change }, 'P')).toMatchObject({ changed: 4 });
    const one = { q: '', orgId: editors.b, expectedCount: 1, change: { addTags: ['b'] } };
    expect(await bulkGood(one, 'P')).toMatchObject({ changed: 1 });
    expect(await tagsOf(4)).toStrictEqual(['shop', '4', 'new', 'b']);
    expect((await bulk({ ...one, orgId: editors.b }, 'A')).status).toBe(404);
  });

  test('does not count ids that are unknown or out of reach', async () => {
    for (const other of [idOf(4), newId()]) {
      const body = { ids: [idOf(1), other], expectedCount: 2, change: { addTags: ['new'] } };
      const answer = await bulk(body);
      expect([answer.status, answer.body]).toMatchObject([409, { code: 'count_changed', actualCount: 1 }]);
    }
    expect(await tagsOf(4)).toStrictEqual(['shop', '4']);
  });
});

describe('the change', () => {
  test('sets tags, custom values and status only where they differ', async () => {
    await patch(1, { tags: ['vip', 'old'], custom: { rack: 'X' }, status: 'maintenance' });
    const change = {
      addTags: ['vip', 'new', 'new'],
      removeTags: ['old', 'shop'],
      custom: { rack: 'X', seats: 4 },
      status: 'maintenance',
    };
    const body = { q: '', expectedCount: 3, change };
    expect(await bulkGood(body)).toMatchObject({ changed: 3, unchanged: 0 });
    const custom = { rack: 'X', seats: 4, only_a: null };
    expect(await states()).toMatchObject([
      { tags: ['vip', 'new'], status: 'maintenance', custom },
      { tags: ['2', 'vip', 'new'], status: 'maintenance', custom },
      { tags: ['3', 'vip', 'new'], status: 'maintenance', custom },
      { tags: ['shop', '4'], status: 'online' },
    ]);
    expect(await bulkGood(body)).toMatchObject({ changed: 0, unchanged: 3 });
  });

  test('removes a value by null, even if its definition is gone', async () => {
    await loadFleet(service.composition.backend, [
      { ...(devices[0] as DeviceRecord), custom: new Map([['gone', 'left over']]) },
    ]);
    const body = { ids: idsOf(1, 2), expectedCount: 2, change: { custom: { rack: null, gone: null } } };
    expect(await bulkGood(body)).toMatchObject({ changed: 2 });
    expect((await stateOf(2)).custom.rack).toBeNull();
    expect(refusalOf(await bulk(body)).slice(2)).toStrictEqual([['change.custom.gone', 'unknown_field']]);
  });
});

describe('refusals', () => {
  const good = { q: '', expectedCount: 3, change: { addTags: ['new'] } };
  test.each<readonly [string, object, readonly (readonly [string, string])[]]>([
    ['a missing restriction', { q: undefined }, [['conditions', 'value_required']]],
    ['a second restriction', { ids: [] }, [['ids', 'value_not_allowed']]],
    ['null beside a restriction', { conditions: null }, [['q', 'value_not_allowed']]],
    [
      'a list of 1,001 ids',
      { q: undefined, ids: Array.from({ length: 1_001 }, () => newId()) },
      [['ids', 'invalid_value']],
    ],
    ['null as ids', { q: undefined, ids: null }, [['ids', 'invalid_value']]],
    ['a malformed id', { q: undefined, ids: [newId(), 'x'] }, [['ids[1]', 'invalid_value']]],
    ['a malformed orgId', { orgId: 'x' }, [['orgId', 'invalid_value']]],
    ['a missing expectedCount', { expectedCount: undefined }, [['expectedCount', 'value_required']]],
    ['a text as expectedCount', { expectedCount: '3' }, [['expectedCount', 'out_of_range']]],
    ['a negative expectedCount', { expectedCount: -1 }, [['expectedCount', 'out_of_range']]],
    ['a missing change', { change: undefined }, [['change', 'value_required']]],
    ['null as change', { change: null }, [['change', 'invalid_value']]],
    ['an empty change', { change: {} }, [['change', 'value_required']]],
    [
      'a change of nothing',
      { change: { addTags: [], removeTags: [], custom: {} } },
      [['change', 'value_required']],
    ],
    [
      'a change of a field that only PATCH changes',
      { change: { displayName: 'x' } },
      [['change', 'value_required']],
    ],
    [
      'a tag both added and removed',
      { change: { addTags: ['a', 'b'], removeTags: ['c', 'b'] } },
      [['change.removeTags[1]', 'invalid_value']],
    ],
    ['a number as tag', { change: { addTags: ['a', 5] } }, [['change.addTags[1]', 'invalid_value']]],
    ['a blank tag', { change: { removeTags: [' '] } }, [['change.removeTags[0]', 'invalid_value']]],
    ['null as tags', { change: { addTags: null } }, [['change.addTags', 'invalid_value']]],
    ['a list as custom', { change: { custom: [] } }, [['change.custom', 'invalid_value']]],
    ['online as status', { change: { status: 'online' } }, [['change.status', 'invalid_value']]],
    [
      'an unknown custom field',
      { change: { custom: { rakc: 'x' } } },
      [['change.custom.rakc', 'unknown_field']],
    ],
    [
      'a text for a number',
      { change: { custom: { seats: '4' } } },
      [['change.custom.seats', 'invalid_value']],
    ],
    [
      'a body with several faults',
      { expectedCount: null, change: { addTags: [5], status: 'x', custom: 5 } },
      [
        ['expectedCount', 'out_of_range'],
        ['change.addTags[0]', 'invalid_value'],
        ['change.custom', 'invalid_value'],
        ['change.status', 'invalid_value'],
      ],
    ],
  ])('%s is refused and changes nothing', async (_, sent, faults) => {
    const before = await states();
    const answer = await bulk({ ...good, ...sent });
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ...faults]);
    for (const { message } of problemOf(answer).errors ?? []) expect(message).toMatch(/\w/);
    expect(await states()).toStrictEqual(before);
  });

  test('10,001 devices are too many, whatever was expected, and stay unchanged', async () => {
    const more = Array.from({ length: 9_998 }, () => aDevice({ orgId: editors.a, tags: ['shop'] }));
    await loadFleet(service.composition.backend, more.slice(1));
    const body = (expectedCount: number) => ({ q: 'tags:shop', expectedCount, change: { addTags: ['new'] } });
    expect((await bulk(body(0))).body).toMatchObject({ code: 'count_changed', actualCount: 10_000 });
    await loadFleet(service.composition.backend, more.slice(0, 1));
    for (const expectedCount of [10_001, 10_000, 0]) {
      const answer = await bulk(body(expectedCount));
      expect(refusalOf(answer)).toStrictEqual([400, 'too_many_devices']);
    }
    const listed = await editors.as('A')('GET', '/api/v1/devices?q=tags:new&count=true');
    expect(listed.body).toMatchObject({ totalCount: 0 });
    expect(await entries()).not.toContainEqual(
      expect.objectContaining({ orgId: editors.a, result: 'success' }),
    );
  });

  test("values are checked against each organization's definitions", async () => {
    const body = (custom: object) => ({ q: '', expectedCount: 4, change: { addTags: ['new'], custom } });
    const before = await states();
    for (const custom of [{ seats: 4 }, { seats: 'four' }]) {
      expect(refusalOf(await bulk(body(custom), 'P'))).toStrictEqual([
        400,
        'validation_failed',
        ['change.custom.seats', 'invalid_value'],
      ]);
    }
    expect(refusalOf(await bulk(body({ only_a: 'x' }), 'P')).slice(2)).toStrictEqual([
      ['change.custom.only_a', 'unknown_field'],
    ]);
    expect(await states()).toStrictEqual(before);
    expect(await bulkGood(body({ rack: 'same' }), 'P')).toMatchObject({ changed: 4 });
  });

  test('a number of devices other than expected is refused, and the answer has the actual number', async () => {
    const before = await states();
    for (const expectedCount of [0, 2, 4, Number.MAX_SAFE_INTEGER]) {
      const answer = await bulk({ ...good, expectedCount });
      expect([answer.status, answer.body]).toMatchObject([409, { code: 'count_changed', actualCount: 3 }]);
    }
    expect(await states()).toStrictEqual(before);
  });

  test('a change that would give a device more than 100 tags is refused', async () => {
    await patch(2, { tags: Array.from({ length: 100 }, (_, i) => `${i}`) });
    expect(refusalOf(await bulk(good)).slice(2)).toStrictEqual([['change.addTags', 'invalid_value']]);
    expect(await tagsOf(1)).toStrictEqual(['shop', '1']);
    const swap = { ...good, change: { addTags: ['new'], removeTags: ['5'] } };
    expect(await bulkGood(swap)).toMatchObject({ changed: 3 });
  });

  test('a saved filter out of reach is 404, as an unknown one is', async () => {
    const conditions = { operator: 'AND', conditions: [{ field: 'tags', operator: 'isNotEmpty' }] };
    const saved = await editors.as('B')('POST', FILTERS, { name: 'Of B', conditions });
    const ask = (filterId: string) => bulk({ filterId, expectedCount: 1, change: { addTags: ['x'] } });
    const [foreign, unknown] = [await ask(filterOf(saved).id), await ask(newId())];
    expect([foreign.status, problemOf(foreign).detail]).toStrictEqual([404, problemOf(unknown).detail]);
  });

  test.each<readonly [EditorName, number]>([
    ['A', 3],
    ['B', 1],
    ['P', 4],
    ['P in A', 3],
    ['Q', 0],
    ['system', 4],
  ])('%s reaches %d of four devices, by ids, conditions or text', async (name, expectedCount) => {
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'id', operator: 'in', value: idsOf(1, 2, 3, 4) }],
    };
    for (const restriction of [
      { ids: idsOf(1, 2, 3, 4) },
      { conditions },
      { q: `id:=${idsOf(1, 2, 3, 4)}` },
    ]) {
      const { status, body } = await bulk(
        { ...restriction, expectedCount: 9, change: { addTags: [name] } },
        name,
      );
      expect([status, body]).toMatchObject([409, { actualCount: expectedCount }]);
    }
    const body = { ids: idsOf(1, 2, 3, 4), expectedCount, change: { addTags: [name] } };
    expect(await bulkGood(body, name)).toMatchObject({ changed: expectedCount });
    const tagged = (await states()).filter(({ tags }) => tags.includes(name));
    expect(tagged).toHaveLength(expectedCount);
  });

  test.each<readonly [EditorName, number]>([
    ['A', 200],
    ['user', 403],
    ['key without', 403],
  ])('a bulk change by %s answers %d', async (name, status) => {
    expect((await bulk(good, name)).status).toBe(status);
    expect((await undo(newId(), name)).status).toBe(status === 200 ? 404 : 403);
  });
});

describe('the audit log', () => {
  test('has one entry per bulk change or undo, with counts and field names', async () => {
    const before = (await entries()).length;
    await patch(1, { status: 'maintenance' });
    const change = {
      addTags: ['new'],
      removeTags: ['absent'],
      custom: { rack: 'R1' },
      status: 'maintenance',
    };
    const done = await bulkGood({ q: 'host:till-* status:online,maintenance', expectedCount: 3, change });
    await patch(2, { tags: [] });
    await undoGood(done);
    const [changed, undone, ...more] = (await entries()).slice(before);
    expect(more).toStrictEqual([]);
    const common = {
      result: 'success',
      orgId: editors.a,
      resourceType: 'device',
      resourceId: done.operationId,
    };
    expect(changed).toMatchObject({
      ...{ ...common, action: 'device.bulk_update', actor: { type: 'user', id: editors.idOf('A') } },
      details: {
        ...{ changed: 3, unchanged: 0, fields: ['custom.rack', 'status', 'tags'] },
        conditionFields: ['hostname', 'status'],
      },
    });
    expect(undone).toMatchObject({
      ...{ ...common, action: 'device.bulk_undo' },
      details: { restored: 3, skipped: 0 },
    });
  });

  test('has a denied attempt, but no invalid body', async () => {
    const before = (await entries()).length;
    await bulk({ q: '', expectedCount: 3, change: {} });
    await bulk({ q: '', expectedCount: 3, change: { addTags: ['x'] } }, 'user');
    const since = (await entries())
      .slice(before)
      .map(({ action, result, details }) => ({ action, result, details }));
    expect(since).toStrictEqual([
      { action: 'device.bulk_update', result: 'denied', details: { reason: 'forbidden' } },
    ]);
  });

  test('names the organization of a partner’s change if only one is affected', async () => {
    const before = (await entries()).length;
    const body = { ids: idsOf(1, 2), expectedCount: 2, change: { addTags: ['x'] } };
    await bulkGood(body, 'P');
    await bulkGood({ q: '', expectedCount: 4, change: { addTags: ['x'] } }, 'P');
    expect((await entries()).slice(before).map(({ orgId }) => orgId)).toStrictEqual([editors.a, null]);
  });
});

describe('undo', () => {
  const change = {
    addTags: ['new'],
    removeTags: ['shop'],
    custom: { rack: null },
    status: 'maintenance',
  } as const;

  test('restores everything', async () => {
    const before = await states();
    const done = await bulkGood({ q: '', expectedCount: 4, change }, 'P');
    expect(await states()).not.toStrictEqual(before);
    expect(await undoGood(done, 'P')).toStrictEqual({ restored: 4, skipped: 0 });
    expect(await states()).toStrictEqual(before);
  });

  test('skips each value that was changed since', async () => {
    const done = await bulkGood({ q: '', expectedCount: 3, change });
    await patch(1, { tags: ['by hand'], custom: { rack: 'by hand' }, status: 'decommissioned' });
    await patch(2, { tags: ['by hand'] });
    await patch(3, { displayName: 'Another' });
    expect(await undoGood(done)).toStrictEqual({ restored: 2, skipped: 1 });
    expect((await states()).slice(0, 3)).toMatchObject([
      { tags: ['by hand'], custom: { rack: 'by hand' }, status: 'decommissioned' },
      { tags: ['by hand'], custom: { rack: 'R2' }, status: 'online' },
      { tags: ['shop', '3'], custom: { rack: 'R3' }, status: 'online' },
    ]);
  });

  test('restores a device only once, whatever happens to it later', async () => {
    const done = await bulkGood({ q: '', expectedCount: 3, change: { addTags: ['new'] } });
    await patch(1, { tags: [] });
    expect(await undoGood(done)).toStrictEqual({ restored: 2, skipped: 1 });
    await patch(2, { tags: ['shop', '2', 'new'] });
    expect(await undoGood(done)).toStrictEqual({ restored: 0, skipped: 1 });
    expect(await tagsOf(2)).toStrictEqual(['shop', '2', 'new']);
  });

  test('skips the earlier of two changes until the later one is undone', async () => {
    const before = await states();
    const first = await bulkGood({ q: '', expectedCount: 3, change: { addTags: ['one'] } });
    const second = await bulkGood({ q: '', expectedCount: 3, change: { addTags: ['two'] } });
    expect(await undoGood(first)).toStrictEqual({ restored: 0, skipped: 3 });
    expect(await undoGood(second)).toStrictEqual({ restored: 3, skipped: 0 });
    expect(await undoGood(first)).toStrictEqual({ restored: 3, skipped: 0 });
    expect(await states()).toStrictEqual(before);
  });

  test('has nothing to do for a change without effect', async () => {
    const done = await bulkGood({ q: '', expectedCount: 3, change: { addTags: ['shop'] } });
    expect([done.changed, await undoGood(done)]).toStrictEqual([0, { restored: 0, skipped: 0 }]);
  });

  test('is open to the same caller for ten minutes', async () => {
    const done = await bulkGood({ q: '', expectedCount: 3, change });
    const unknown = await undo(newId());
    for (const answer of [
      await undo(done.operationId, 'P'),
      await undo(done.operationId, 'B'),
      await undo(done.operationId, 'system'),
      await undo('nonsense'),
    ]) {
      expect([answer.status, problemOf(answer).detail]).toStrictEqual([404, problemOf(unknown).detail]);
    }
    try {
      ahead = 10 * MINUTE_MS + 1_000;
      expect((await undo(done.operationId)).status).toBe(404);
      ahead = 9 * MINUTE_MS;
      expect(await undoGood(done)).toStrictEqual({ restored: 3, skipped: 0 });
    } finally {
      ahead = 0;
    }
  });

  test('ends when the worker removes the change after ten minutes', async () => {
    const { removeBulkChanges } = service.composition.backend;
    const done = await bulkGood({ q: '', expectedCount: 3, change });
    await removeBulkChanges(Date.now() + 9 * MINUTE_MS, 100);
    expect((await undo(done.operationId)).status).toBe(200);
    expect(await removeBulkChanges(Date.now() + 11 * MINUTE_MS, 100)).toBeGreaterThan(0);
    expect((await undo(done.operationId)).status).toBe(404);
    expect(await removeBulkChanges(Date.now() + 11 * MINUTE_MS, 100)).toBe(0);
  });
});

describe('concurrent bulk changes', () => {
  test('wait for each other, and each counts its devices anew', async () => {
    const body = { q: 'tags:shop', expectedCount: 3, change: { removeTags: ['shop'] } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => bulk(body)));
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 409, 409, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ actualCount: 0 });
  });

  test('lose no change, neither bulk nor single', async () => {
    const one = (tag: string) => bulk({ q: '', expectedCount: 3, change: { addTags: [tag] } });
    const answers = await Promise.all([one('a'), patch(1, { status: 'maintenance' }), one('b'), one('c')]);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200]);
    for (const n of [1, 2, 3]) {
      expect((await tagsOf(n)).toSorted()).toStrictEqual([`${n}`, 'a', 'b', 'c', 'shop']);
    }
    expect((await stateOf(1)).status).toBe('maintenance');
  });
});
