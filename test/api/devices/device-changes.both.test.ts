/** PATCH /devices/:id: a test for each line of contract §10 about it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  hostnamesOf,
  PREVIEW,
  problemOf,
  refusalOf,
  SEARCH,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { importInventory } from '#test/support/inventories.ts';
import { loadFleet } from '#test/support/tenant.ts';

const DEVICES = '/api/v1/devices';

interface DeviceBody {
  readonly id: string;
  readonly displayName: string | null;
  readonly status: string;
  readonly tags: readonly string[];
  readonly custom: readonly { readonly key: string; readonly value: unknown }[];
}

let service: TestService;
let editors: Editors;
let id: string;

/** Adds people, and custom fields in their reach. */
async function addTenant(): Promise<void> {
  editors = await addEditors(service);
  const own = { kind: 'organization', orgId: editors.a } as const;
  const partners = { kind: 'partner', partnerId: editors.p } as const;
  await loadFleet(service.composition.backend, [
    aCustomField({ owner: own, key: 'rack', name: 'Rack' }),
    aCustomField({ owner: own, key: 'seats', type: 'number' }),
    aCustomField({ owner: own, key: 'leased', type: 'boolean' }),
    aCustomField({ owner: own, key: 'stage', type: 'dropdown', choices: ['new', 'old'] }),
    aCustomField({ owner: partners, key: 'due', type: 'date' }),
    // The organization's text field of this key takes precedence.
    aCustomField({ owner: partners, key: 'rack', type: 'number' }),
    aCustomField({ owner: { kind: 'organization', orgId: editors.b }, key: 'of_b' }),
  ]);
}

async function addDevice(): Promise<void> {
  const device = aDevice({
    orgId: editors.a,
    hostname: 'ANR-WS-0001',
    displayName: 'Front desk',
    tags: ['kiosk'],
    custom: new Map([
      ['rack', 'R1'],
      ['gone', 'left over'],
    ]),
    hardware: { ...NO_HARDWARE, model: 'X1' },
  });
  id = device.id;
  await loadFleet(service.composition.backend, [device]);
}

beforeAll(async () => {
  service = await startService();
  await addTenant();
});
afterAll(() => service.close());
beforeEach(addDevice);

const read = (name: EditorName = 'A') => editors.as(name)('GET', `${DEVICES}/${id}`);
const patch = (body: unknown, name: EditorName = 'A', headers?: Record<string, string>) =>
  editors.as(name)('PATCH', `${DEVICES}/${id}`, body, headers);
function deviceOf({ status, text, body }: Answer): DeviceBody {
  if (status !== 200) throw new Error(`no device was answered: ${status} ${text}`);
  return body as DeviceBody;
}
const patchGood = async (body: object, name: EditorName = 'A') => deviceOf(await patch(body, name));
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';
const valuesOf = ({ custom }: DeviceBody) => Object.fromEntries(custom.map(({ key, value }) => [key, value]));
const find = async (condition: object) =>
  hostnamesOf(
    await editors.as('A')('POST', PREVIEW, { conditions: { operator: 'AND', conditions: [condition] } }),
  ).length === 1;
/** The answer to a search, as text. */
const search = async (text: string) =>
  (await editors.as('A')('GET', `${SEARCH}?q=${encodeURIComponent(text)}`)).text;
const entriesAfter = async (count: number) =>
  (await service.probe.auditEntries())
    .slice(count)
    .map(({ action, result, orgId, resourceType, resourceId, details }) => ({
      ...{ action, result, orgId, resourceType, resourceId, details },
    }));
const countEntries = async () => (await service.probe.auditEntries()).length;

describe('PATCH /devices/:id', () => {
  test('changes everything at once, and answers the whole device with its ETag', async () => {
    const before = await read();
    const answer = await patch({
      displayName: 'Till',
      tags: ['till', 'vip'],
      custom: { rack: 'R2', seats: 4, leased: false, stage: 'old', due: '2026-03-01' },
      status: 'maintenance',
    });
    expect(deviceOf(answer)).toStrictEqual({
      ...deviceOf(before),
      displayName: 'Till',
      tags: ['till', 'vip'],
      custom: expect.anything(),
      status: 'maintenance',
    });
    expect(valuesOf(deviceOf(answer))).toStrictEqual({
      due: '2026-03-01',
      leased: false,
      rack: 'R2',
      seats: 4,
      stage: 'old',
    });
    const after = await read();
    expect([after.body, etagOf(after)]).toStrictEqual([answer.body, etagOf(answer)]);
    expect(etagOf(answer)).not.toBe(etagOf(before));
  });

  test.each<readonly [string, object, Partial<DeviceBody>]>([
    ['a display name and trims it', { displayName: ' Till \n' }, { displayName: 'Till' }],
    ['null as display name', { displayName: null }, { displayName: null }],
    ['a blank display name as none', { displayName: '  ' }, { displayName: null }],
    ['an invisible display name as none', { displayName: ' \u0001\u0085' }, { displayName: null }],
    [
      'a display name with any white space around it',
      { displayName: '\u0085Till 3\u2003' },
      { displayName: 'Till 3' },
    ],
    ['a display name of 500 code points', { displayName: '🖨'.repeat(500) }, { displayName: '🖨'.repeat(500) }],
    ['an empty list of tags', { tags: [] }, { tags: [] }],
    ['tags unchanged, each once', { tags: [' a', 'null', 'a', ' a'] }, { tags: [' a', 'null', 'a'] }],
    ['the status maintenance', { status: 'maintenance' }, { status: 'maintenance' }],
    ['the status decommissioned', { status: 'decommissioned' }, { status: 'decommissioned' }],
    ['the status offline', { status: 'offline' }, { status: 'offline' }],
    ['an empty body', {}, {}],
    [
      'members that only the device reports, but ignores them',
      { hostname: 'mine', id: newId(), orgId: newId() },
      {},
    ],
  ])('accepts %s', async (_, body, expected) => {
    const before = deviceOf(await read());
    expect(await patchGood(body)).toStrictEqual({ ...before, ...expected });
    expect(deviceOf(await read())).toStrictEqual({ ...before, ...expected });
  });

  test('removes a value by null, and keeps values that are not named', async () => {
    await patchGood({ custom: { seats: 4, stage: 'new' } });
    const device = await patchGood({ custom: { rack: null, seats: null } });
    expect(valuesOf(device)).toStrictEqual({
      due: null,
      leased: null,
      rack: null,
      seats: null,
      stage: 'new',
    });
  });

  test('removes a value whose definition is gone, once', async () => {
    expect((await patch({ custom: { gone: null } })).status).toBe(200);
    expect(refusalOf(await patch({ custom: { gone: null } })).slice(2)).toStrictEqual([
      ['custom.gone', 'unknown_field'],
    ]);
  });

  test('sets maintenance and decommissioned until further notice, offline until the next inventory', async () => {
    const { backend } = service.composition;
    const inventory = anInventory({ hostname: 'imported' });
    const stored = await importInventory(backend, editors.a, inventory, SOME_INSTANT);
    if (!stored.ok) throw new Error('the inventory was refused');
    id = stored.value.deviceId;
    for (const [status, after] of [
      ['maintenance', 'maintenance'],
      ['decommissioned', 'decommissioned'],
      ['offline', 'online'],
    ] as const) {
      expect((await patchGood({ status })).status).toBe(status);
      await importInventory(backend, editors.a, inventory, SOME_INSTANT);
      expect(deviceOf(await read()).status).toBe(after);
    }
  });
});

describe('refusals', () => {
  test.each<readonly [string, object, string, string?]>([
    ['a number as display name', { displayName: 5 }, 'displayName'],
    ['a display name of 501 characters', { displayName: 'x'.repeat(501) }, 'displayName'],
    ['a display name with NUL', { displayName: 'a\u0000' }, 'displayName'],
    ['null as tags', { tags: null }, 'tags'],
    ['a text as tags', { tags: 'a' }, 'tags'],
    ['a number as tag', { tags: [5] }, 'tags[0]'],
    ['a blank tag', { tags: ['a', ' '] }, 'tags[1]'],
    ['an invisible tag', { tags: ['\u0085'] }, 'tags[0]'],
    ['a tag of 501 characters', { tags: ['x'.repeat(501)] }, 'tags[0]'],
    ['an unpaired surrogate in a tag', { tags: ['\ud800'] }, 'tags[0]'],
    ['a list of 101 tags', { tags: Array.from({ length: 101 }, (_, i) => `${i}`) }, 'tags'],
    ['null as status', { status: null }, 'status'],
    ['online as status', { status: 'online' }, 'status'],
    ['quarantined as status', { status: 'quarantined' }, 'status'],
    ['Maintenance as status', { status: 'Maintenance' }, 'status'],
    ['null as custom', { custom: null }, 'custom'],
    ['a list as custom', { custom: [] }, 'custom'],
    ['a number for a text', { custom: { rack: 5 } }, 'custom.rack'],
    ['a text with NUL', { custom: { rack: '\u0000' } }, 'custom.rack'],
    ['a text of 4,001 characters', { custom: { rack: 'x'.repeat(4_001) } }, 'custom.rack'],
    ['a text for a number', { custom: { seats: '5' } }, 'custom.seats'],
    ['a number that is not exact', { custom: { seats: 2 ** 53 } }, 'custom.seats'],
    ['a text for a boolean', { custom: { leased: 'true' } }, 'custom.leased'],
    ['an unknown choice', { custom: { stage: 'New' } }, 'custom.stage'],
    ['an invalid date', { custom: { due: '2026-02-30' } }, 'custom.due'],
    ['a list as value', { custom: { rack: ['R1'] } }, 'custom.rack'],
    ['an unknown key', { custom: { rakc: 'R2' } }, 'custom.rakc', 'unknown_field'],
    ['null for an unknown key', { custom: { other: null } }, 'custom.other', 'unknown_field'],
    ['a key of another organization', { custom: { of_b: 'x' } }, 'custom.of_b', 'unknown_field'],
    ['__proto__ as key', { custom: JSON.parse('{"__proto__": "x"}') }, 'custom.__proto__', 'unknown_field'],
  ])('%s is refused and changes nothing', async (_, body, path, code = 'invalid_value') => {
    const before = await read();
    const entries = await countEntries();
    const answer = await patch({ status: 'maintenance', ...(body as object) });
    expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', [path, code]]);
    expect(problemOf(answer).errors?.[0]?.message).toMatch(/\w/);
    expect([(await read()).body, await countEntries()]).toStrictEqual([before.body, entries]);
  });

  test('every fault is named at once, with what is accepted', async () => {
    const answer = await patch({
      displayName: 5,
      tags: ['a', 5],
      custom: { rakc: 'R2', stage: 'used' },
      status: 'online',
    });
    expect(problemOf(answer).errors).toStrictEqual([
      {
        path: 'displayName',
        code: 'invalid_value',
        message: 'displayName must be a string or null, not 5',
      },
      { path: 'tags[1]', code: 'invalid_value', message: 'tags[1] must be a string, not 5' },
      {
        path: 'custom.rakc',
        code: 'unknown_field',
        message: 'the device\'s organization has no custom field "rakc"; did you mean rack?',
      },
      {
        path: 'custom.stage',
        code: 'invalid_value',
        message: 'custom.stage must be one of new, old, not "used"',
      },
      {
        path: 'status',
        code: 'invalid_value',
        message:
          'status must be one of maintenance, decommissioned, offline, not "online"; the device reports the others itself',
      },
    ]);
  });

  test.each([
    ['not JSON', '{', 400, 'invalid_json'],
    ['a list', '[]', 400, 'validation_failed'],
  ])('a body that is %s is refused', async (_, body, status, code) => {
    const answer = await patch(body);
    expect([answer.status, problemOf(answer).status]).toStrictEqual([status, status]);
    if (code === 'invalid_json') expect(problemOf(answer).code).toBe(code);
  });
});

describe('permission and reach', () => {
  test.each<readonly [EditorName, number]>([
    ['A', 200],
    ['P', 200],
    ['P in A', 200],
    ['system', 200],
    ['user', 403],
    ['key without', 403],
    ['B', 404],
    ['Q', 404],
  ])('a change by %s answers %d', async (name, status) => {
    const answer = await patch({ displayName: 'Changed' }, name);
    expect(answer.status).toBe(status);
    const { displayName } = deviceOf(await read());
    expect(displayName).toBe(status === 200 ? 'Changed' : 'Front desk');
  });

  test('unknown, foreign and malformed ids answer alike', async () => {
    const foreign = await patch({}, 'B');
    const unknown = await editors.as('B')('PATCH', `${DEVICES}/${newId()}`, {});
    const malformed = await editors.as('B')('PATCH', `${DEVICES}/nonsense`, {});
    for (const answer of [foreign, unknown, malformed]) {
      expect([answer.status, problemOf(answer).detail]).toStrictEqual([404, problemOf(unknown).detail]);
    }
  });

  test('the refusal names the missing permission', async () => {
    expect(problemOf(await patch({}, 'user')).detail).toBe('This needs the permission devices:write.');
  });
});

describe('If-Match', () => {
  test('lets the first of two writers through and refuses the second', async () => {
    const headers = { 'If-Match': etagOf(await read()) };
    expect((await patch({ tags: ['first'] }, 'A', headers)).status).toBe(200);
    const second = await patch({ tags: ['second'] }, 'P', headers);
    expect([second.status, problemOf(second).code]).toStrictEqual([412, 'precondition_failed']);
    expect(deviceOf(await read()).tags).toStrictEqual(['first']);
  });

  test('accepts * and lists, and explains tags in another form', async () => {
    const tag = etagOf(await read());
    expect((await patch({ tags: ['a'] }, 'A', { 'If-Match': `"0000000000000000", ${tag}` })).status).toBe(
      200,
    );
    expect((await patch({ tags: ['b'] }, 'A', { 'If-Match': '*' })).status).toBe(200);
    const current = etagOf(await read());
    for (const header of [`W/${current}`, current.slice(1, -1)]) {
      const answer = await patch({ tags: ['c'] }, 'A', { 'If-Match': header });
      expect([answer.status, problemOf(answer).detail]).toStrictEqual([
        412,
        `If-Match takes an ETag as it was answered, in double quotes and without W/: here ${current}.`,
      ]);
    }
    const garbage = await patch({ tags: ['c'] }, 'A', { 'If-Match': 'garbage' });
    expect(problemOf(garbage).detail).toContain('such as "0f3a5c7e9b1d2f4a"');
    expect(deviceOf(await read()).tags).toStrictEqual(['b']);
  });

  test('still matches after the device has reported', async () => {
    const { backend } = service.composition;
    const inventoryId = `inventory-${newId()}`;
    const report = async (lastUser: string) =>
      importInventory(backend, editors.a, anInventory({ lastUser }, { inventoryId }), SOME_INSTANT);
    const stored = await report('one');
    if (!stored.ok) throw new Error('the inventory was refused');
    id = stored.value.deviceId;
    await patchGood({ status: 'offline' });
    const tag = etagOf(await read());
    // The device reports again, online and with another user.
    await report('two');
    expect(deviceOf(await read()).status).toBe('online');
    expect((await patch({ tags: ['a'] }, 'A', { 'If-Match': tag })).status).toBe(200);
  });

  test('lets one of five writers with the same tag through', async () => {
    const headers = { 'If-Match': etagOf(await read()) };
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => patch({ tags: [`${i}`] }, i % 2 === 0 ? 'A' : 'P', headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 412, 412, 412, 412]);
  });
});

describe('a change is seen at once', () => {
  // The device is the only one in reach.
  beforeEach(async () => {
    await addTenant();
    await addDevice();
  });

  test('by filters', async () => {
    await patchGood({
      displayName: 'KASSE Süd',
      tags: ['till'],
      custom: { rack: 'STRASSE', due: '2026-03-01', seats: 4 },
      status: 'decommissioned',
    });
    const rows: readonly (readonly [object, boolean])[] = [
      [{ field: 'displayName', operator: 'contains', value: 'kasse sÜd' }, true],
      [{ field: 'displayName', operator: 'contains', value: 'front' }, false],
      [{ field: 'tags', operator: 'contains', value: 'till' }, true],
      [{ field: 'tags', operator: 'contains', value: 'kiosk' }, false],
      [{ field: 'tags.name', operator: 'startsWith', value: 'TI' }, true],
      [{ field: 'custom.rack', operator: 'contains', value: 'strasse' }, true],
      [{ field: 'custom.rack', operator: 'equals', value: 'R1' }, false],
      [{ field: 'custom.due', operator: 'equals', value: '2026-03-01' }, true],
      [{ field: 'custom.seats', operator: 'greaterThan', value: 3 }, true],
      [{ field: 'status', operator: 'equals', value: 'decommissioned' }, true],
      [{ field: 'status', operator: 'equals', value: 'online' }, false],
    ];
    for (const [condition, isFound] of rows) {
      expect([condition, await find(condition)]).toStrictEqual([condition, isFound]);
    }
  });

  test('by search, which finds the new name and no longer the old one', async () => {
    expect(await search('front desk')).toContain(id);
    await patchGood({ displayName: 'KASSE Süd' });
    expect(await search('kasse sü')).toContain(id);
    expect(await search('front desk')).not.toContain(id);
    await patchGood({ displayName: null });
    expect(await search('kasse sü')).not.toContain(id);
    expect(await search('anr-ws-0001')).toContain(id);
  });

  test('in the saved filters that the device matches, also when a definition changes', async () => {
    const matching = async () => {
      const { body } = await editors.as('A')('GET', `${DEVICES}/${id}/filters`);
      return (body as { data: readonly { name: string }[] }).data.map(({ name }) => name);
    };
    for (const [name, field, value] of [
      ['In R2', 'custom.rack', 'R2'],
      ['In maintenance', 'status', 'maintenance'],
      ['Tills', 'tags.name', 'till'],
    ]) {
      const conditions = { operator: 'AND', conditions: [{ field, operator: 'equals', value }] };
      expect((await editors.as('A')('POST', FILTERS, { name, conditions })).status).toBe(201);
    }
    expect(await matching()).toStrictEqual([]);
    await patchGood({ custom: { rack: 'R2' }, status: 'maintenance', tags: ['till'] });
    expect(await matching()).toStrictEqual(['In maintenance', 'In R2', 'Tills']);
    const { body } = await editors.as('A')('GET', '/api/v1/custom-fields');
    const rack = (body as { data: readonly { id: string; key: string; orgId?: string }[] }).data.find(
      ({ key, orgId }) => key === 'rack' && orgId !== undefined,
    );
    // From here on the partner's number field applies, and the text does not fit it.
    await editors.as('A')('DELETE', `/api/v1/custom-fields/${rack?.id}`);
    expect(await matching()).toStrictEqual(['In maintenance', 'Tills']);
  });

  test('in lists of devices', async () => {
    await patchGood({ displayName: 'Till', status: 'maintenance' });
    const { body } = await editors.as('A')('POST', `${DEVICES}/query`, {
      conditions: {
        operator: 'AND',
        conditions: [{ field: 'displayName', operator: 'equals', value: 'Till' }],
      },
    });
    expect((body as { data: readonly DeviceBody[] }).data).toMatchObject([{ id, status: 'maintenance' }]);
  });
});

describe('the audit log', () => {
  test('has the names of the changed fields, and no entry for a change without effect', async () => {
    const before = await countEntries();
    await patchGood({ displayName: 'Front desk', tags: ['kiosk'], custom: { rack: 'R1', seats: null } });
    expect(await countEntries()).toBe(before);
    await patchGood(
      { displayName: 'Till', tags: ['kiosk'], custom: { rack: 'R2', seats: 4 }, status: 'offline' },
      'P',
    );
    expect(await entriesAfter(before)).toStrictEqual([
      {
        action: 'device.update',
        result: 'success',
        orgId: editors.a,
        resourceType: 'device',
        resourceId: id,
        details: { fields: ['displayName', 'custom.rack', 'custom.seats', 'status'] },
      },
    ]);
  });

  test('has each denied attempt with the reason', async () => {
    const before = await countEntries();
    await patch({ displayName: 'x' }, 'user');
    await patch({ displayName: 'x' }, 'B');
    expect(
      (await entriesAfter(before)).map(({ action, result, details }) => [action, result, details]),
    ).toStrictEqual([
      ['device.update', 'denied', { reason: 'forbidden' }],
      ['device.update', 'denied', { reason: 'not_found' }],
    ]);
  });
});
