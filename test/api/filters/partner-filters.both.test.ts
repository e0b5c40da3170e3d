/** Filters that a partner keeps for all of its organizations (Contract: §18). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CustomFieldType, FleetRecord } from '#domain/fleet/fleet-record.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  hostnamesOf,
  listOf,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, anOrganization, newId } from '#test/support/builders.ts';
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

const EVERYTHING = and(is('hostname', 'isNotNull'));

const ask = (name: EditorName, method: string, path: string, body?: unknown): Promise<Answer> =>
  editors.as(name)(method, path, body);
const create = (name: EditorName, body: object = {}) =>
  createFilter(editors.as(name), { conditions: EVERYTHING, partnerId: editors.p, ...body });
const made = async (conditions: object = EVERYTHING) => filterOf(await create('P', { conditions }));
const load = (...records: readonly FleetRecord[]) => loadFleet(service.composition.backend, [...records]);
const preview = (name: EditorName, filter: { readonly id: string }) =>
  ask(name, 'POST', `${urlOf(filter)}/preview`);

/** Loads a device into each of the two organizations. */
async function loadTwo() {
  const one = aDevice({ orgId: editors.a, hostname: 'in-a', custom: new Map([['seats', 7]]) });
  const two = aDevice({ orgId: editors.b, hostname: 'in-b', custom: new Map([['seats', 9]]) });
  await load(one, two);
  return { one, two };
}

const define = (owner: 'a' | 'b', type: CustomFieldType) =>
  load(aCustomField({ owner: { kind: 'organization', orgId: editors[owner] }, key: 'seats', type }));

describe('creating a partner-wide filter', () => {
  test.each<EditorName>(['P', 'system'])('is allowed to %s', async (name) => {
    const filter = filterOf(await create(name));
    expect([filter.orgId, filter.partnerId]).toStrictEqual([null, editors.p]);
  });

  test.each<EditorName>(['P in A', 'A', 'Q'])('is refused to %s', async (name) => {
    expect(refusalOf(await create(name))).toStrictEqual([403, 'forbidden']);
    expect(refusalOf(await create(name, { partnerId: newId() }))).toStrictEqual([403, 'forbidden']);
  });

  test('needs a partner that exists, and no organization beside it', async () => {
    expect(refusalOf(await create('system', { partnerId: newId() }))).toStrictEqual([
      400,
      'validation_failed',
      ['partnerId', 'unknown_partner'],
    ]);
    for (const body of [{ partnerId: 'x' }, { partnerId: 5 }, { orgId: editors.a }]) {
      expect(refusalOf(await create('P', body))).toStrictEqual([
        400,
        'validation_failed',
        ['partnerId', 'invalid_value'],
      ]);
    }
  });

  test('needs a partner, and a null partner counts as none', async () => {
    const refused = await create('P', { partnerId: null });
    expect(problemOf(refused).detail).toBe('orgId is required for partner scope');
    const own = filterOf(await create('A', { partnerId: null }));
    expect([own.orgId, own.partnerId]).toStrictEqual([editors.a, null]);
  });
});

describe('a partner-wide filter', () => {
  test.each<EditorName>(['A', 'B', 'user', 'P', 'P in A', 'system'])('is seen by %s', async (name) => {
    const filter = await made();
    expect(filterOf(await ask(name, 'GET', urlOf(filter))).partnerId).toBe(editors.p);
    expect(listOf(await ask(name, 'GET', FILTERS)).data.map(({ id }) => id)).toContain(filter.id);
  });

  test('is unknown to another partner', async () => {
    const filter = await made();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/preview'],
      ['POST', '/explain'],
    ] as const) {
      expect(
        refusalOf(await ask('Q', method, `${urlOf(filter)}${path}`, method === 'GET' ? undefined : {})),
      ).toStrictEqual([404, 'not_found']);
    }
    expect(listOf(await ask('Q', 'GET', FILTERS)).data).toStrictEqual([]);
  });

  test.each<EditorName>(['A', 'user', 'P in A'])('is not changed or deleted by %s', async (name) => {
    const filter = await made();
    for (const method of ['PATCH', 'DELETE']) {
      expect(refusalOf(await ask(name, method, urlOf(filter), { name: 'Mine' }))).toStrictEqual([
        403,
        'forbidden',
      ]);
    }
    expect(filterOf(await ask('P', 'GET', urlOf(filter)))).toStrictEqual(filter);
  });

  test.each<EditorName>(['P', 'system'])('is changed and deleted by %s', async (name) => {
    const filter = await made();
    const conditions = and(is('hostname', 'equals', 'other'));
    const changed = filterOf(await ask(name, 'PATCH', urlOf(filter), { name: 'New', conditions }));
    expect(changed).toMatchObject({ name: 'New', conditions, orgId: null, partnerId: editors.p });
    expect((await ask(name, 'DELETE', urlOf(filter))).status).toBe(200);
    expect((await ask('A', 'GET', urlOf(filter))).status).toBe(404);
  });
});

describe('the devices of a partner-wide filter', () => {
  test.each<[EditorName, readonly string[]]>([
    ['P', ['in-a', 'in-b']],
    ['system', ['in-a', 'in-b']],
    ['P in A', ['in-a']],
    ['A', ['in-a']],
    ['B', ['in-b']],
  ])('are those that %s reaches, in preview, list, export and explanation', async (name, hostnames) => {
    await loadTwo();
    const filter = await made();
    expect(hostnamesOf(await preview(name, filter))).toStrictEqual(hostnames);
    const listed = await ask(name, 'GET', `/api/v1/devices?filterId=${filter.id}&count=true`);
    const { data, totalCount } = listed.body as { data: { hostname: string }[]; totalCount: number };
    expect(data.map(({ hostname }) => hostname)).toStrictEqual(hostnames);
    expect(totalCount).toBe(hostnames.length);
    const exported = await ask(name, 'POST', '/api/v1/devices/export', {
      filterId: filter.id,
      format: 'csv',
    });
    expect([exported.status, ['in-a', 'in-b'].filter((host) => exported.text.includes(host))]).toStrictEqual([
      200,
      hostnames,
    ]);
    const explained = await ask(name, 'POST', `${urlOf(filter)}/explain`);
    expect((explained.body as { data: object }).data).toMatchObject({
      deviceCount: hostnames.length,
      totalCount: hostnames.length,
    });
  });

  test('can be narrowed to one organization of the partner, and to no other', async () => {
    await loadTwo();
    const filter = await made();
    const foreign = service.tenants.orgIds.C;
    for (const name of ['P', 'system'] as const) {
      const path = `/api/v1/devices?filterId=${filter.id}&orgId=`;
      const { data } = (await ask(name, 'GET', `${path}${editors.b}`)).body as {
        data: { hostname: string }[];
      };
      expect(data.map(({ hostname }) => hostname)).toStrictEqual(['in-b']);
      expect((await ask(name, 'GET', `${path}${foreign}`)).status).toBe(name === 'P' ? 404 : 400);
    }
  });

  test('include those of an organization that is added later', async () => {
    await loadTwo();
    const filter = await made();
    const late = anOrganization({ partnerId: editors.p });
    await load(late, aDevice({ orgId: late.id, hostname: 'in-late' }));
    for (const name of ['P', 'system'] as const) {
      expect(hostnamesOf(await preview(name, filter))).toStrictEqual(['in-a', 'in-b', 'in-late']);
    }
  });

  test('have it among their filters', async () => {
    const { one, two } = await loadTwo();
    const [all, onlyB] = [await made(), await made(and(is('hostname', 'equals', 'in-b')))];
    const filtersOf = async (name: EditorName, id: string) => {
      const { body } = await ask(name, 'GET', `/api/v1/devices/${id}/filters`);
      return (body as { data: { id: string }[] }).data.map((filter) => filter.id).toSorted();
    };
    expect(await filtersOf('A', one.id)).toStrictEqual([all.id]);
    expect(await filtersOf('P in A', one.id)).toStrictEqual([all.id]);
    expect(await filtersOf('system', two.id)).toStrictEqual([all.id, onlyB.id].toSorted());
  });
});

describe('a custom field', () => {
  const MORE = and(is('custom.seats', 'greaterThan', 8));

  test('is null in an organization that does not define it', async () => {
    const { one } = await loadTwo();
    await define('b', 'number');
    const [more, none] = [await made(MORE), await made(and(is('custom.seats', 'isNull')))];
    expect(hostnamesOf(await preview('P', more))).toStrictEqual(['in-b']);
    expect(hostnamesOf(await preview('P', none))).toStrictEqual(['in-a']);
    expect(previewOf(await preview('A', more)).totalCount).toBe(0);
    expect(hostnamesOf(await preview('A', none))).toStrictEqual(['in-a']);
    expect(hostnamesOf(await preview('P in A', none))).toStrictEqual(['in-a']);
    const { body } = await ask('A', 'GET', `/api/v1/devices/${one.id}/filters`);
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toStrictEqual([none.id]);
  });

  test.each<[CustomFieldType, string, unknown]>([
    ['number', 'lessThan', 5],
    ['number', 'between', { from: 1, to: 5 }],
    ['boolean', 'equals', true],
    ['date', 'before', '2026-01-01T00:00:00Z'],
    ['date', 'between', { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
    ['text', 'startsWith', 'x'],
    ['text', 'in', ['x', 'y']],
  ])('of type %s matches nothing where it is undefined, with %s %j', async (type, operator, value) => {
    await loadTwo();
    await define('b', type);
    const filter = await made(and(is('custom.seats', operator, value)));
    expect(previewOf(await preview('A', filter)).totalCount).toBe(0);
    expect(previewOf(await preview('P', filter)).totalCount).toBe(0);
  });

  test('with two types within the partner is refused as ambiguous', async () => {
    const filter = await made();
    await define('a', 'text');
    await define('b', 'number');
    expect(problemOf(await create('P', { conditions: MORE })).code).toBe('ambiguous_custom_field');
    expect(problemOf(await create('system', { conditions: MORE })).code).toBe('ambiguous_custom_field');
    const changed = await ask('P', 'PATCH', urlOf(filter), { conditions: MORE });
    expect(problemOf(changed).code).toBe('ambiguous_custom_field');
  });

  test('that no organization defines is unknown', async () => {
    expect(refusalOf(await create('P', { conditions: MORE }))).toStrictEqual([
      400,
      'validation_failed',
      ['conditions.conditions[0].field', 'unknown_field'],
    ]);
  });
});

test('actions on a partner-wide filter are audited for the partner', async () => {
  const filter = await made();
  await preview('P', filter);
  await ask('A', 'DELETE', urlOf(filter));
  await ask('P', 'DELETE', urlOf(filter));
  const entries = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === filter.id);
  expect(entries.map(({ action, result, partnerId }) => [action, result, partnerId])).toStrictEqual([
    ['filter.create', 'success', editors.p],
    ['filter.saved.preview', 'success', editors.p],
    ['filter.delete', 'denied', null],
    ['filter.delete', 'success', editors.p],
  ]);
});
