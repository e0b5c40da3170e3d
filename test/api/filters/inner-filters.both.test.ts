/** Filters that name other filters (Contract: §18). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  filterOf,
  hostnamesOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, aFilter, anOrganization, located, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { and, is } from './condition-service.ts';
import { createFilter, urlOf } from './saved-filters.ts';

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

type Saved = ReturnType<typeof filterOf>;

const ask = (name: EditorName, method: string, path: string, body?: unknown): Promise<Answer> =>
  editors.as(name)(method, path, body);
const create = (name: EditorName, conditions: object, more: object = {}) =>
  createFilter(editors.as(name), { conditions, ...more });
const made = async (name: EditorName, conditions: object, more: object = {}): Promise<Saved> =>
  filterOf(await create(name, conditions, more));
const wide = () => ({ partnerId: editors.p });
const named = (filter: { readonly id: string }) => and(is('filter', 'equals', filter.id));
const preview = async (name: EditorName, conditions: object) =>
  hostnamesOf(await ask(name, 'POST', '/api/v1/filters/preview', { conditions }));
const change = (name: EditorName, filter: Saved, conditions: object) =>
  ask(name, 'PATCH', urlOf(filter), { conditions });
const remove = (name: EditorName, filter: Saved, query = '') =>
  ask(name, 'DELETE', `${urlOf(filter)}${query}`);

const LINUX = and(is('osType', 'equals', 'linux'));
const IS_VIP = is('tags', 'contains', 'vip');
const VIP = and(IS_VIP);

async function loadMachines(): Promise<void> {
  const { a, b } = editors;
  await loadFleet(service.composition.backend, [
    aDevice({ orgId: a, hostname: 'a-both', osType: 'linux', tags: ['vip'] }),
    aDevice({ orgId: a, hostname: 'a-linux', osType: 'linux' }),
    aDevice({ orgId: a, hostname: 'a-vip', osType: 'windows', tags: ['vip'] }),
    aDevice({ orgId: b, hostname: 'b-both', osType: 'linux', tags: ['vip'] }),
    aDevice({ orgId: b, hostname: 'b-none', osType: null }),
  ]);
}

describe('a filter in a filter', () => {
  beforeEach(loadMachines);

  test('covers the devices of its organization and no others', async () => {
    const linux = await made('A', LINUX);
    expect(await preview('P', named(linux))).toStrictEqual(['a-both', 'a-linux']);
    expect(await preview('P', and(is('filter', 'notEquals', linux.id)))).toStrictEqual([
      'a-vip',
      'b-both',
      'b-none',
    ]);
    expect(await preview('system', and(is('filter', 'in', [linux.id]), IS_VIP))).toStrictEqual(['a-both']);
  });

  test('covers the devices of its partner within the reach of the caller', async () => {
    const linux = await made('P', LINUX, wide());
    const vip = await made('A', VIP);
    expect(await preview('P', named(linux))).toStrictEqual(['a-both', 'a-linux', 'b-both']);
    expect(await preview('P in A', named(linux))).toStrictEqual(['a-both', 'a-linux']);
    expect(await preview('A', and(is('filter', 'in', [linux.id, vip.id])))).toStrictEqual([
      ...['a-both', 'a-linux', 'a-vip'],
    ]);
    expect(
      await preview(
        'system',
        and(is('filter', 'notIn', [linux.id, vip.id]), is('orgId', 'in', [editors.a, editors.b])),
      ),
    ).toStrictEqual(['b-none']);
    expect(await preview('A', and(is('filter', 'in', [])))).toStrictEqual([]);
  });

  test('is evaluated on every route that evaluates filters', async () => {
    const linux = await made('P', LINUX, wide());
    const both = await made('A', and(is('filter', 'equals', linux.id.toUpperCase()), IS_VIP));
    expect(both.conditions).toStrictEqual(and(is('filter', 'equals', linux.id.toUpperCase()), IS_VIP));
    expect(hostnamesOf(await ask('A', 'POST', `${urlOf(both)}/preview`))).toStrictEqual(['a-both']);
    const listed = await ask('A', 'GET', `/api/v1/devices?filterId=${both.id}`);
    const [device] = (listed.body as { readonly data: readonly { readonly id: string }[] }).data;
    const matching = async () => {
      const { body } = await ask('A', 'GET', `/api/v1/devices/${device?.id}/filters`);
      return (body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id).sort();
    };
    expect(await matching()).toStrictEqual([both.id, linux.id].sort());
    await change('P', linux, VIP);
    expect(hostnamesOf(await ask('A', 'POST', `${urlOf(both)}/preview`))).toStrictEqual(['a-both', 'a-vip']);
    await change('P', linux, and(is('hostname', 'equals', 'nobody')));
    expect(await matching()).toStrictEqual([]);
    const explained = await ask('A', 'POST', `${urlOf(both)}/explain`, {});
    const { nodes } = (explained.body as { readonly data: { readonly nodes: readonly object[] } }).data;
    expect(nodes).toHaveLength(3);
    expect(nodes[1]).toMatchObject({ field: 'filter', count: 0, countWithout: 2 });
  });

  test('may be named in a text, by its whole name in any case or by its id', async () => {
    const linux = await made('A', LINUX, { name: 'Servers without backup' });
    const other = await made('B', VIP, { name: 'servers WITHOUT backup' });
    const parse = (name: EditorName, q: string) =>
      ask(name, 'GET', `/api/v1/filters/parse?q=${encodeURIComponent(q)}`);
    const data = async (name: EditorName, q: string) =>
      ((await parse(name, q)).body as { data: unknown }).data;
    expect(await data('A', 'filter:"SERVERS without backup"')).toStrictEqual({
      conditions: named(linux),
      q: `filter:${linux.id}`,
    });
    expect(await data('A', '-filter:"servers without backup" vip')).toMatchObject({
      q: `-filter:${linux.id} vip`,
    });
    expect(await data('P', 'filter:"Servers without backup"')).toMatchObject({
      conditions: and(is('filter', 'in', expect.arrayContaining([linux.id, other.id]))),
    });
    expect(problemOf(await parse('A', 'filter:"Servers without"')).errors?.[0]).toMatchObject({
      ...{ path: 'q', start: 7, code: 'invalid_value', message: 'No filter is named "Servers without"' },
    });
    expect(problemOf(await parse('A', `filter:${other.id}`)).errors?.[0]).toMatchObject({
      ...{ path: 'q', start: 7, code: 'invalid_value' },
    });
    const completed = await ask(
      'A',
      'GET',
      `/api/v1/filters/complete?q=${encodeURIComponent('filter:serv')}&at=11`,
    );
    expect(completed.body).toMatchObject({
      data: { items: [{ insert: '"Servers without backup"', label: 'Servers without backup' }] },
    });
    const list = await ask(
      'A',
      'GET',
      `/api/v1/devices?q=${encodeURIComponent('filter:"servers without backup"')}`,
    );
    expect(list.body).toMatchObject({ data: [{ hostname: 'a-both' }, { hostname: 'a-linux' }] });
  });

  test('uses in each organization the custom fields defined there', async () => {
    const { a, b } = editors;
    await loadFleet(service.composition.backend, [
      aCustomField({ owner: { kind: 'organization', orgId: a }, key: 'seats', type: 'number' }),
      aDevice({ orgId: a, hostname: 'seven', custom: new Map([['seats', 7]]) }),
      aDevice({ orgId: b, hostname: 'elsewhere', custom: new Map([['seats', 7]]) }),
    ]);
    const seats = await made('P', and(is('custom.seats', 'equals', 7)), wide());
    expect(await preview('P', named(seats))).toStrictEqual(['seven']);
    expect(await preview('B', named(seats))).toStrictEqual([]);
    expect(await preview('system', named(seats))).toStrictEqual(['seven']);
    const outer = await made('B', and(is('filter', 'notEquals', seats.id)));
    expect(hostnamesOf(await ask('B', 'POST', `${urlOf(outer)}/preview`))).toStrictEqual([
      ...['b-both', 'b-none', 'elsewhere'],
    ]);
  });
});

describe('a named filter', () => {
  const unknown = async (name: EditorName, filter: { readonly id: string }, more: object = {}) => {
    const refused = await create(name, named(filter), more);
    expect(refusalOf(refused)).toStrictEqual([
      ...[400, 'validation_failed'],
      ['conditions.conditions[0].value', 'invalid_value'],
    ]);
    return problemOf(refused).errors?.[0]?.message.replace(filter.id, 'ID');
  };

  test('belongs to the same organization or partner, and in a partner-wide filter to the partner', async () => {
    const [inA, inB] = [await made('A', LINUX), await made('B', LINUX)];
    const inP = await made('P', LINUX, wide());
    expect((await create('A', and(is('filter', 'in', [inA.id, inP.id])))).status).toBe(201);
    expect((await create('P', named(inP), wide())).status).toBe(201);
    const missing = await unknown('A', { id: newId() });
    expect(await unknown('A', inB)).toBe(missing);
    expect(await unknown('P', inB, { orgId: editors.a })).toBe(missing);
    expect(await unknown('P', inA, wide())).toBe(missing);
    expect(await unknown('system', inA, wide())).toBe(missing);
    const refused = await ask('Q', 'POST', '/api/v1/filters/preview', { conditions: named(inP) });
    expect(problemOf(refused).errors?.[0]?.message.replace(inP.id, 'ID')).toBe(missing);
  });

  test('has to be given by its id', async () => {
    for (const value of ['Servers', '', 5, null]) {
      expect(refusalOf(await create('A', and(is('filter', 'equals', value))))).toStrictEqual([
        ...[400, 'validation_failed'],
        ['conditions.conditions[0].value', 'invalid_value'],
      ]);
    }
  });
});

test('filters of an organization that moves can no longer name filters of its former partner', async () => {
  await loadMachines();
  const inP = await made('P', LINUX, wide());
  const outer = await made('A', named(inP));
  const listed = await ask('A', 'GET', `/api/v1/devices?filterId=${outer.id}`);
  const [device] = (listed.body as { readonly data: readonly { readonly id: string }[] }).data;
  const matching = async () => (await ask('A', 'GET', `/api/v1/devices/${device?.id}/filters`)).body;
  expect(await matching()).toMatchObject({ data: [{ id: inP.id }, { id: outer.id }] });
  await loadFleet(service.composition.backend, [anOrganization({ id: editors.a, partnerId: editors.q })]);
  const fault = ['conditions.conditions[0].value', 'invalid_value'];
  for (const name of ['A', 'Q', 'system'] as const) {
    const refused = await ask(name, 'POST', `${urlOf(outer)}/preview`);
    expect([name, ...refusalOf(refused)]).toStrictEqual([name, 400, 'validation_failed', fault]);
  }
  expect(await matching()).toMatchObject({ data: [] });
  // The former partner's filter can be deleted. The organization's filter, now invalid, can be changed.
  expect((await remove('P', inP)).status).toBe(200);
  expect((await change('Q', outer, VIP)).status).toBe(200);
  expect(hostnamesOf(await ask('A', 'POST', `${urlOf(outer)}/preview`))).toStrictEqual(['a-both', 'a-vip']);
});

describe('cycles and chains', () => {
  test('a cycle is refused and spelled out', async () => {
    const first = await made('A', LINUX, { name: 'first' });
    const second = await made('A', named(first), { name: 'second' });
    const third = await made('A', and(is('filter', 'notIn', [second.id])), { name: 'third' });
    const refused = await change('A', first, named(third));
    expect(refusalOf(refused)).toStrictEqual([400, 'filter_cycle', ['conditions', 'filter_cycle']]);
    expect(problemOf(refused).detail).toBe(
      `The filter would name itself: "first" (${first.id}) → "third" (${third.id}) → "second" (${second.id}) → "first" (${first.id})`,
    );
    expect(refusalOf(await change('A', first, named(first)))[1]).toBe('filter_cycle');
    expect((await change('A', second, VIP)).status).toBe(200);
    expect((await change('A', first, named(third))).status).toBe(200);
    // The earlier version would close a cycle.
    const restored = await ask('A', 'POST', `${urlOf(second)}/restore`, { version: 1 });
    expect(refusalOf(restored)[1]).toBe('filter_cycle');
  });

  test('two concurrent changes make no cycle', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await made('P', LINUX, wide()), await made('P', VIP, wide())];
      const answers = await Promise.all([change('P', one, named(two)), change('system', two, named(one))]);
      expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 400]);
    }
  });

  test('a chain has at most 20 filters, at whichever end it grows', async () => {
    let last = await made('P', LINUX, { ...wide(), name: '1' });
    const first = last;
    for (let length = 2; length <= 19; length++) last = await made('P', named(last), wide());
    const inA = await made('A', named(last));
    expect(refusalOf(await create('A', named(inA)))).toStrictEqual([
      ...[400, 'filter_too_deep'],
      ['conditions', 'filter_too_deep'],
    ]);
    // The chain would grow at its other end.
    const below = await made('P', VIP, wide());
    expect(refusalOf(await change('P', first, named(below)))[1]).toBe('filter_too_deep');
    await loadMachines();
    expect(await preview('A', named(inA))).toStrictEqual(['a-both', 'a-linux']);
  });

  test('filters that name two others at each of 18 levels are evaluated', async () => {
    await loadMachines();
    let [one, two] = [await made('A', LINUX), await made('A', VIP)];
    for (let level = 0; level < 18; level++) {
      const either = and(is('filter', 'in', [one.id]), is('filter', 'notIn', []));
      const neither = {
        operator: 'OR',
        conditions: [
          is('filter', 'equals', two.id),
          and(is('filter', 'equals', one.id), is('filter', 'notEquals', one.id)),
        ],
      };
      [one, two] = [
        await made(
          'A',
          and(either, {
            operator: 'OR',
            conditions: [is('filter', 'notEquals', two.id), is('filter', 'equals', one.id)],
          }),
        ),
        await made('A', neither),
      ];
    }
    expect(hostnamesOf(await ask('A', 'POST', `${urlOf(one)}/preview`))).toStrictEqual(['a-both', 'a-linux']);
    expect(hostnamesOf(await ask('A', 'POST', `${urlOf(two)}/preview`))).toStrictEqual(['a-both', 'a-vip']);
  });
});

describe('deleting a filter', () => {
  test('is refused while other filters name it, even by force', async () => {
    const inner = await made('P', LINUX, { ...wide(), name: 'inner' });
    const middle = await made('P', named(inner), { ...wide(), name: 'middle' });
    const outer = await made('A', named(middle), { name: 'outer' });
    for (const query of ['', '?force=true']) {
      const refused = await remove('P', inner, query);
      expect(refusalOf(refused)).toStrictEqual([409, 'filter_in_use']);
      expect(problemOf(refused)).toMatchObject({
        usedBy: [
          { kind: 'filter', id: middle.id, name: 'middle' },
          { kind: 'filter', id: outer.id, name: 'outer' },
        ],
      });
    }
    const impact = await ask('P', 'POST', `${urlOf(inner)}/impact`, { conditions: VIP });
    expect(impact.body).toMatchObject({
      data: {
        usedBy: [
          { kind: 'filter', id: middle.id },
          { kind: 'filter', id: outer.id },
        ],
      },
    });
    expect((await remove('A', outer)).status).toBe(200);
    expect((await remove('P', middle)).status).toBe(200);
    expect((await remove('P', inner)).status).toBe(200);
  });

  test('ends subscriptions by force only if no filter names it', async () => {
    const inner = await made('A', LINUX);
    const outer = await made('A', named(inner));
    const subscribe = (filterId: string, name: string) =>
      ask('A', 'POST', '/api/v1/subscriptions', { filterId, name, kind: 'feed' });
    expect((await subscribe(inner.id, 'own')).status).toBe(201);
    expect((await subscribe(outer.id, 'through')).status).toBe(201);
    const refused = await remove('A', inner, '?force=true');
    expect(problemOf(refused)).toMatchObject({
      usedBy: [
        { kind: 'subscription', name: 'own' },
        { kind: 'subscription', name: 'through' },
        { kind: 'filter', id: outer.id },
      ],
    });
    expect((await remove('A', outer, '?force=true')).status).toBe(200);
    expect((await remove('A', inner, '?force=true')).status).toBe(200);
  });

  test('and naming it at once leaves no filter that names a missing one', async () => {
    for (let round = 0; round < 5; round++) {
      const inner = await made('P', LINUX, wide());
      const [deleted, created] = await Promise.all([remove('system', inner), create('A', named(inner))]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([deleted.status, created.status]);
    }
  });

  test('prevents restoring a version that names it', async () => {
    const inner = await made('A', LINUX);
    const outer = await made('A', named(inner));
    await change('A', outer, VIP);
    await remove('A', inner);
    const restored = await ask('A', 'POST', `${urlOf(outer)}/restore`, { version: 1 });
    expect(refusalOf(restored)).toStrictEqual([
      ...[400, 'validation_failed'],
      ['conditions.conditions[0].value', 'invalid_value'],
    ]);
  });
});

test('a load accepts filters that name each other in any order, and refuses a cycle', async () => {
  const { backend } = service.composition;
  const owned = { orgId: editors.a, createdBy: editors.idOf('A') as UserId };
  const [one, two] = [aFilter({ ...owned, name: 'one' }), aFilter({ ...owned, name: 'two' })];
  await loadFleet(backend, [
    { ...one, conditions: named(two) },
    { ...two, conditions: LINUX },
  ]);
  expect(refusalOf(await remove('A', two as unknown as Saved))).toStrictEqual([409, 'filter_in_use']);
  const refuse = async (...records: readonly FleetRecord[]) => {
    const loaded = await backend.fleetWriter(located(records));
    return loaded.ok ? null : loaded.error.map(({ member, message }) => `${member}: ${message}`).join();
  };
  expect(await refuse({ ...two, conditions: named(one) })).toMatch(
    /conditions: The filter would name itself: "two"/,
  );
  expect(await refuse({ ...two, conditions: named({ id: newId() }) })).toMatch(
    /conditions\.conditions\[0\]\.value: value must be the id of a saved filter in reach/,
  );
});
