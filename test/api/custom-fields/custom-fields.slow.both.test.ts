/** Custom fields over HTTP: a test for each line of contract §10 about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  FILTERS,
  filterOf,
  hostnamesOf,
  PREVIEW,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aDevice, newId } from '#test/support/builders.ts';
import { UUID_V7 } from '#test/support/shapes.ts';
import { loadFleet } from '#test/support/tenant.ts';

const FIELDS = '/api/v1/custom-fields';

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

interface FieldBody {
  readonly id: string;
  readonly orgId?: string;
  readonly partnerId?: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly choices?: readonly string[];
}

const RACK = { key: 'rack', name: 'Rack', type: 'text' } as const;

function fieldOf({ status, text, body }: Answer): FieldBody {
  if (status !== 200 && status !== 201) throw new Error(`no custom field was answered: ${status} ${text}`);
  return body as FieldBody;
}
const create = (body: object = {}, name: EditorName = 'A') =>
  editors.as(name)('POST', FIELDS, { ...RACK, ...body });
const createGood = async (body: object = {}, name: EditorName = 'A') => fieldOf(await create(body, name));
const patch = (id: string, body: object, name: EditorName = 'A') =>
  editors.as(name)('PATCH', `${FIELDS}/${id}`, body);
const remove = (id: string, name: EditorName = 'A') => editors.as(name)('DELETE', `${FIELDS}/${id}`);
const list = async (name: EditorName = 'A') => {
  const { status, text, body } = await editors.as(name)('GET', FIELDS);
  if (status !== 200) throw new Error(`no list was answered: ${status} ${text}`);
  return (body as { data: readonly FieldBody[] }).data;
};
/** All entries after the first `count`, without ids and times. */
const entriesAfter = async (count: number) =>
  (await service.probe.auditEntries())
    .slice(count)
    .map(({ action, result, orgId, partnerId, resourceType, resourceId, details }) => ({
      ...{ action, result, orgId, partnerId, resourceType, resourceId, details },
    }));
const countEntries = async () => (await service.probe.auditEntries()).length;

describe('POST /custom-fields', () => {
  test('defines a field of the caller’s organization, and answers 201 with the field and its location', async () => {
    const answer = await create();
    const field = fieldOf(answer);
    expect([answer.status, field]).toStrictEqual([
      201,
      { id: expect.stringMatching(UUID_V7), orgId: editors.a, ...RACK },
    ]);
    expect(answer.headers.get('location')).toBe(`${FIELDS}/${field.id}`);
    expect(await list()).toStrictEqual([field]);
  });

  test.each<readonly [string, object, object]>([
    ['a name and trims it', { name: ' Rack \n' }, { name: 'Rack' }],
    ['a name with white space of any script around it', { name: '\u0085Rack\u2003' }, { name: 'Rack' }],
    ['a name of 200 code points', { name: '🖨'.repeat(200) }, { name: '🖨'.repeat(200) }],
    ['digits and _ in a key', { key: 'a_1__' }, { key: 'a_1__' }],
    [
      'a dropdown and leaves its choices unchanged',
      { type: 'dropdown', choices: [' a', 'null'] },
      { type: 'dropdown', choices: [' a', 'null'] },
    ],
    ['null as choices of another type', { type: 'date', choices: null }, { type: 'date' }],
    ['an empty list as choices of another type', { type: 'number', choices: [] }, { type: 'number' }],
    ['unknown members and ignores them', { colour: 'red' }, {}],
  ])('accepts %s', async (_, body, expected) => {
    const field = await createGood(body);
    const whole = { id: field.id, orgId: editors.a, ...RACK, ...expected };
    expect(field).toStrictEqual(whole);
    expect(await list()).toStrictEqual([field]);
  });

  test.each<readonly [string, object, string]>([
    ['no key', { key: undefined }, 'key'],
    ['a number as key', { key: 5 }, 'key'],
    ['an upper-case key', { key: 'Rack' }, 'key'],
    ['a key that begins with a digit', { key: '1a' }, 'key'],
    ['a key with a dot', { key: 'a.b' }, 'key'],
    ['a key with a line end', { key: 'rack\n' }, 'key'],
    ['a key of 501 characters', { key: 'a'.repeat(501) }, 'key'],
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: ' \t' }, 'name'],
    ['a name of control characters', { name: '\u0085' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name with NUL', { name: 'a\u0000' }, 'name'],
    ['no type', { type: undefined }, 'type'],
    ['an unknown type', { type: 'string' }, 'type'],
    ['a dropdown without choices', { type: 'dropdown' }, 'choices'],
    ['a dropdown with an empty list of choices', { type: 'dropdown', choices: [] }, 'choices'],
    [
      '1,001 choices',
      { type: 'dropdown', choices: Array.from({ length: 1_001 }, (_, i) => `${i}`) },
      'choices',
    ],
    ['choices for a text field', { choices: ['a'] }, 'choices'],
    ['a number as choice', { type: 'dropdown', choices: ['a', 5] }, 'choices[1]'],
    ['a blank choice', { type: 'dropdown', choices: [' '] }, 'choices[0]'],
    ['a choice of control characters', { type: 'dropdown', choices: ['a', '\u0001'] }, 'choices[1]'],
    ['a repeated choice', { type: 'dropdown', choices: ['a', 'b', 'a'] }, 'choices[2]'],
    ['a choice of 201 characters', { type: 'dropdown', choices: ['x'.repeat(201)] }, 'choices[0]'],
    ['a malformed orgId', { orgId: 'x' }, 'orgId'],
  ])('refuses %s', async (_, body, path) => {
    expect(refusalOf(await create(body))).toStrictEqual([400, 'validation_failed', [path, 'invalid_value']]);
    expect(await list()).toStrictEqual([]);
  });

  test('names every fault at once and suggests the nearest type', async () => {
    const answer = await create({ key: '', name: '', type: 'numbr' });
    expect(refusalOf(answer).slice(2)).toStrictEqual([
      ['key', 'invalid_value'],
      ['name', 'invalid_value'],
      ['type', 'invalid_value'],
    ]);
    expect(problemOf(answer).errors?.[2]?.message).toContain('did you mean "number"?');
  });

  test.each<readonly [EditorName, string, (e: Editors) => object, (e: Editors) => unknown]>([
    ['A', 'nothing, which means their own organization', () => ({}), ({ a }) => ({ orgId: a })],
    ['A', 'their own organization', ({ a }) => ({ orgId: a }), ({ a }) => ({ orgId: a })],
    ['A', 'another organization', ({ b }) => ({ orgId: b }), () => 403],
    ['A', 'their partner', ({ p }) => ({ partnerId: p }), () => 403],
    ['P', 'nothing', () => ({}), () => 400],
    ['P', 'one of their organizations', ({ b }) => ({ orgId: b }), ({ b }) => ({ orgId: b })],
    ['P', 'the partner', ({ p }) => ({ partnerId: p }), ({ p }) => ({ partnerId: p })],
    ['P', 'another partner', ({ q }) => ({ partnerId: q }), () => 403],
    ['P', 'both an organization and a partner', ({ p, a }) => ({ orgId: a, partnerId: p }), () => 400],
    ['P in A', 'their organization', ({ a }) => ({ orgId: a }), ({ a }) => ({ orgId: a })],
    ['P in A', 'an organization beyond their subset', ({ b }) => ({ orgId: b }), () => 403],
    ['P in A', 'the partner', ({ p }) => ({ partnerId: p }), () => 403],
    ['Q', 'an organization of another partner', ({ a }) => ({ orgId: a }), () => 403],
    ['system', 'nothing', () => ({}), () => 400],
    ['system', 'an organization', ({ a }) => ({ orgId: a }), ({ a }) => ({ orgId: a })],
    ['system', 'a partner', ({ q }) => ({ partnerId: q }), ({ q }) => ({ partnerId: q })],
    ['system', 'an unknown organization', () => ({ orgId: newId() }), () => 400],
    ['system', 'an unknown partner', () => ({ partnerId: newId() }), () => 400],
    ['user', 'nothing, without the permission', () => ({}), () => 403],
    ['key without', 'nothing, by a key without the permission', () => ({}), () => 403],
  ])('checks the owner when %s names %s', async (name, _what, ownerOf, expected) => {
    const answer = await create(ownerOf(editors), name);
    const owner = expected(editors);
    if (typeof owner === 'number') expect(answer.status).toBe(owner);
    else expect(fieldOf(answer)).toMatchObject(owner as object);
  });

  test('says which member is missing', async () => {
    expect(problemOf(await create({}, 'P')).detail).toBe('orgId or partnerId is required for partner scope');
    expect(problemOf(await create({ key: undefined })).detail).toBe(
      'key is required: a lower-case letter followed by lower-case letters, digits and _, such as asset_tag',
    );
  });

  test('refuses a key that the owner already has, and accepts it for another owner', async () => {
    await createGood();
    const answer = await create({ type: 'number' });
    expect([answer.status, problemOf(answer)]).toMatchObject([
      409,
      {
        code: 'conflict',
        detail:
          'The organization has a custom field with the key rack already; change that one, or use another key.',
      },
    ]);
    await createGood({}, 'B');
    await createGood({ partnerId: editors.p, type: 'number' }, 'P');
  });

  test('defines a key only once when five requests race', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([201, 409, 409, 409, 409]);
  });

  test('defines at most 500 fields per owner', async () => {
    const owner = { kind: 'organization', orgId: editors.a } as const;
    const fields = Array.from({ length: 499 }, (_, i) => aCustomField({ owner, key: `f${i}` }));
    await loadFleet(service.composition.backend, fields);
    const last = await createGood();
    const answer = await create({ key: 'more' });
    expect([answer.status, problemOf(answer)]).toMatchObject([
      409,
      {
        code: 'quota_exceeded',
        detail: 'Quota exceeded: an owner defines at most 500 custom fields; this one has 500.',
      },
    ]);
    await createGood({ key: 'more' }, 'B');
    expect((await patch(last.id, { name: 'Renamed' })).status).toBe(200);
    expect((await remove(last.id)).status).toBe(204);
    await createGood({ key: 'more' });
  });

  test('keeps at most 256 KiB of keys, names and choices per owner', async () => {
    const choices = (count: number) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(200, 'x'));
    const big = await createGood({ key: 'a', type: 'dropdown', choices: choices(1_000) });
    expect(refusalOf(await create({ key: 'b', type: 'dropdown', choices: choices(400) }))).toStrictEqual([
      409,
      'quota_exceeded',
    ]);
    const small = await createGood({ key: 'b', type: 'dropdown', choices: choices(200) });
    expect((await patch(small.id, { choices: choices(400) })).status).toBe(409);
    expect((await patch(big.id, { choices: choices(10) })).status).toBe(200);
    expect((await patch(small.id, { choices: choices(400) })).status).toBe(200);
  });
});

describe('GET /custom-fields', () => {
  test('lists the fields in reach by key, then id', async () => {
    const mine = await createGood({ key: 'b' });
    const theirs = await createGood({ key: 'b' }, 'B');
    const shared = await createGood({ key: 'a', partnerId: editors.p, type: 'number' }, 'P');
    expect(await list('A')).toStrictEqual([shared, mine]);
    expect(await list('B')).toStrictEqual([shared, theirs]);
    expect(await list('P in A')).toStrictEqual([shared, mine]);
    expect(await list('P')).toStrictEqual([shared, mine, theirs]);
    expect(await list('Q')).toStrictEqual([]);
    const ids = (await list('system')).map(({ id }) => id);
    for (const { id } of [mine, theirs, shared]) expect(ids).toContain(id);
  });

  test.each(['user', 'key without'] as const)('is for holders of devices:write, not for %s', async (name) => {
    const before = await countEntries();
    expect(refusalOf(await editors.as(name)('GET', FIELDS))).toStrictEqual([403, 'forbidden']);
    expect(await countEntries()).toBe(before);
  });
});

describe('PATCH /custom-fields/:id', () => {
  test('changes name and choices', async () => {
    const field = await createGood({ type: 'dropdown', choices: ['a', 'b'] });
    const answer = await patch(field.id, { name: ' Cabinet ', choices: ['b', 'c'] });
    expect([answer.status, fieldOf(answer)]).toStrictEqual([
      200,
      { ...field, name: 'Cabinet', choices: ['b', 'c'] },
    ]);
    expect(await list()).toStrictEqual([answer.body]);
  });

  test('accepts a field as it was read', async () => {
    const field = await createGood({ type: 'dropdown', choices: ['a'] });
    expect(fieldOf(await patch(field.id, field))).toStrictEqual(field);
    expect(fieldOf(await patch(field.id, {}))).toStrictEqual(field);
  });

  test.each<readonly [string, object, readonly (readonly [string, string])[]]>([
    ['another key', { key: 'other' }, [['key', 'not_changeable']]],
    ['another type', { type: 'number' }, [['type', 'not_changeable']]],
    ['another owner', { orgId: newId() }, [['orgId', 'not_changeable']]],
    ['a partner as owner', { partnerId: newId() }, [['partnerId', 'not_changeable']]],
    ['null as name', { name: null }, [['name', 'invalid_value']]],
    ['choices for a text field', { choices: ['a'] }, [['choices', 'invalid_value']]],
    [
      'several faults',
      { key: 'other', name: '' },
      [
        ['key', 'not_changeable'],
        ['name', 'invalid_value'],
      ],
    ],
  ])('refuses %s', async (_, body, faults) => {
    const field = await createGood();
    expect(refusalOf(await patch(field.id, body))).toStrictEqual([400, 'validation_failed', ...faults]);
    expect(await list()).toStrictEqual([field]);
  });
});

describe.each([
  ['PATCH', (id: string, name: EditorName) => patch(id, { name: 'New' }, name)],
  ['DELETE', (id: string, name: EditorName) => remove(id, name)],
] as const)('%s /custom-fields/:id', (method, change) => {
  test.each<readonly [EditorName, 'own' | 'shared', number]>([
    ['A', 'own', 2],
    ['B', 'own', 404],
    ['P', 'own', 2],
    ['P in A', 'own', 2],
    ['Q', 'own', 404],
    ['system', 'own', 2],
    ['user', 'own', 403],
    ['key without', 'own', 403],
    ['A', 'shared', 403],
    ['P in A', 'shared', 403],
    ['P', 'shared', 2],
    ['Q', 'shared', 404],
    ['system', 'shared', 2],
  ])('by %s on the %s field needs permission and reach', async (name, which, expected) => {
    const own = await createGood();
    const shared = await createGood({ partnerId: editors.p }, 'P');
    const field = which === 'own' ? own : shared;
    const { status } = await change(field.id, name);
    expect(status).toBe(expected === 2 ? (method === 'PATCH' ? 200 : 204) : expected);
    const after = (await list('P')).find(({ id }) => id === field.id);
    if (expected !== 2) expect(after).toStrictEqual(field);
    else expect(after?.name).toBe(method === 'PATCH' ? 'New' : undefined);
  });

  test('answers the same for an unknown id, a foreign one and a malformed one', async () => {
    const foreign = await createGood({}, 'B');
    const answers = [
      await change(newId(), 'A'),
      await change(foreign.id, 'A'),
      await change('nonsense', 'A'),
    ];
    expect(answers.map((answer) => [answer.status, problemOf(answer).detail])).toStrictEqual(
      answers.map(() => [404, 'There is no such custom field, or you have no access to it.']),
    );
  });
});

describe('filters on a custom field', () => {
  const find = async (name: EditorName, condition: object) =>
    hostnamesOf(
      await editors.as(name)('POST', PREVIEW, { conditions: { operator: 'AND', conditions: [condition] } }),
    );
  const addDevice = async (hostname: string, value: string) =>
    loadFleet(service.composition.backend, [
      aDevice({ orgId: editors.a, hostname, custom: new Map([['rack', value]]) }),
    ]);

  test('match its values only while its key is defined', async () => {
    await addDevice('one', 'R1');
    const condition = { field: 'custom.rack', operator: 'equals', value: 'R1' };
    const unknown = await editors.as('A')('POST', PREVIEW, {
      conditions: { operator: 'AND', conditions: [condition] },
    });
    expect(refusalOf(unknown).slice(2)).toStrictEqual([['conditions.conditions[0].field', 'unknown_field']]);
    const field = await createGood();
    expect(await find('A', condition)).toStrictEqual(['one']);
    const saved = filterOf(
      await editors.as('A')('POST', FILTERS, {
        name: 'In R1',
        conditions: { operator: 'AND', conditions: [condition] },
      }),
    );
    await remove(field.id);
    // The filter remains, and the refusal of its preview names the field (Contract: §5).
    expect((await editors.as('A')('GET', `${FILTERS}/${saved.id}`)).status).toBe(200);
    const preview = await editors.as('A')('POST', `${FILTERS}/${saved.id}/preview`);
    expect(refusalOf(preview).slice(0, 2)).toStrictEqual([400, 'validation_failed']);
    expect(problemOf(preview).detail).toContain('custom.rack');
    await createGood();
    expect(hostnamesOf(await editors.as('A')('POST', `${FILTERS}/${saved.id}/preview`))).toStrictEqual([
      'one',
    ]);
  });

  test('treat a value as missing while it is not among the choices', async () => {
    await addDevice('one', 'R1');
    await addDevice('two', 'R2');
    const field = await createGood({ type: 'dropdown', choices: ['R1', 'R2'] });
    const inR1 = { field: 'custom.rack', operator: 'equals', value: 'R1' };
    expect(await find('A', inR1)).toStrictEqual(['one']);
    await patch(field.id, { choices: ['R2'] });
    expect(await find('A', { field: 'custom.rack', operator: 'notEquals', value: 'R2' })).toStrictEqual([
      'one',
    ]);
    expect(await find('A', { field: 'custom.rack', operator: 'equals', value: 'R2' })).toStrictEqual(['two']);
    await patch(field.id, { choices: ['R1', 'R2'] });
    expect(await find('A', inR1)).toStrictEqual(['one']);
  });

  test('prefer an organization’s definition to its partner’s, and refuse two types as ambiguous', async () => {
    await addDevice('one', 'R1');
    const shared = await createGood({ partnerId: editors.p, type: 'number' }, 'P');
    const equals = { field: 'custom.rack', operator: 'equals', value: 'R1' };
    const isNull = { field: 'custom.rack', operator: 'isNull' };
    // The partner's definition is a number, so the text counts as missing.
    expect(await find('A', isNull)).toStrictEqual(['one']);
    await createGood();
    expect(await find('A', equals)).toStrictEqual(['one']);
    const ambiguous = await editors.as('P')('POST', PREVIEW, {
      conditions: { operator: 'AND', conditions: [isNull] },
    });
    expect(problemOf(ambiguous).code).toBe('ambiguous_custom_field');
    await remove(shared.id, 'P');
    expect(await find('P', equals)).toStrictEqual(['one']);
  });
});

describe('the audit log', () => {
  test('has each change with its facts, and no entry for a change without effect', async () => {
    const before = await countEntries();
    const own = await createGood();
    await patch(own.id, { name: 'Cabinet' });
    await patch(own.id, { name: 'Cabinet' });
    await remove(own.id);
    const shared = await createGood({ partnerId: editors.p, key: 'seats', type: 'number' }, 'system');
    const about = { result: 'success', resourceType: 'custom_field' } as const;
    const ofOwn = { ...about, orgId: editors.a, partnerId: null, resourceId: own.id };
    const facts = { key: 'rack', type: 'text' };
    expect(await entriesAfter(before)).toStrictEqual([
      { action: 'custom_field.create', ...ofOwn, details: facts },
      { action: 'custom_field.update', ...ofOwn, details: { ...facts, fields: ['name'] } },
      { action: 'custom_field.delete', ...ofOwn, details: facts },
      {
        action: 'custom_field.create',
        ...about,
        orgId: null,
        partnerId: editors.p,
        resourceId: shared.id,
        details: { key: 'seats', type: 'number' },
      },
    ]);
  });

  test('has each denied attempt with the reason', async () => {
    const shared = await createGood({ partnerId: editors.p }, 'P');
    const before = await countEntries();
    await create({}, 'user');
    await create({ partnerId: editors.p }, 'A');
    await patch(shared.id, { name: 'x' }, 'A');
    await remove(newId(), 'A');
    expect(
      (await entriesAfter(before)).map(({ action, result, details }) => [action, result, details]),
    ).toStrictEqual([
      ['custom_field.create', 'denied', { reason: 'forbidden' }],
      ['custom_field.create', 'denied', { reason: 'forbidden' }],
      ['custom_field.update', 'denied', { reason: 'forbidden' }],
      ['custom_field.delete', 'denied', { reason: 'not_found' }],
    ]);
  });
});
