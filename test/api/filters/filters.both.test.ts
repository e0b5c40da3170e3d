/** Saved filters over HTTP: a test for each line of the specification and of contract §1 and §5. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  FILTERS,
  filterOf,
  listOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';
import { INSTANT, UUID_V7 } from '#test/support/shapes.ts';
import { createFilter, ONLINE, urlOf } from './saved-filters.ts';

const OFFLINE = { operator: 'OR', conditions: [{ field: 'status', operator: 'equals', value: 'offline' }] };

let service: TestService;
let asUser: Ask;
let asPartner: Ask;
let asSystem: Ask;

beforeAll(async () => {
  service = await startService();
  asUser = service.as('A-user');
  asPartner = service.as('P-all');
  asSystem = service.as('system');
});

afterAll(() => service.close());

const create = (body: object = {}, ask = asUser) => createFilter(ask, body);
const createGood = async (body: object = {}, ask = asUser) => filterOf(await create(body, ask));
/** The same JSON, with the members of every object in the opposite order. */
const membersReversed = (value: object) =>
  JSON.parse(JSON.stringify(value), (_name, member) =>
    typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).reverse())
      : member,
  );
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

describe('POST /filters', () => {
  test('answers 201 with the filter, its location and its ETag', async () => {
    const before = Date.now();
    const answer = await create({ name: 'Laptops', description: 'Of the sales team' });
    const filter = filterOf(answer);
    expect([answer.status, answer.headers.get('content-type'), filter]).toStrictEqual([
      201,
      'application/json',
      {
        id: expect.stringMatching(UUID_V7),
        orgId: service.tenants.orgIds.A,
        partnerId: null,
        name: 'Laptops',
        description: 'Of the sales team',
        conditions: ONLINE,
        createdBy: service.tenants.users['A-user'].id,
        creator: { id: service.tenants.users['A-user'].id, name: service.tenants.users['A-user'].name },
        createdAt: expect.stringMatching(INSTANT),
        updatedAt: filter.createdAt,
      },
    ]);
    expect(Date.parse(filter.createdAt)).toBeGreaterThanOrEqual(before);
    expect(answer.headers.get('location')).toBe(urlOf(filter));
    expect(etagOf(answer)).toMatch(/^"[^"]+"$/);
  });

  test.each<readonly [string, object, object]>([
    ['a missing description is null', {}, { description: null }],
    ['a null description is accepted', { description: null }, { description: null }],
    ['an empty description stays empty', { description: '' }, { description: '' }],
    ['a description is not trimmed', { description: ' a ' }, { description: ' a ' }],
    ['a name is trimmed', { name: ' \t a b \n' }, { name: 'a b' }],
    ['a name may have 1 character', { name: 'x' }, { name: 'x' }],
    ['a name may have 200 characters', { name: 'é'.repeat(200) }, { name: 'é'.repeat(200) }],
    ['the length of a name is in code points', { name: '🦊'.repeat(200) }, { name: '🦊'.repeat(200) }],
    [
      'the length of a name counts after trimming',
      { name: `  ${'x'.repeat(200)}  ` },
      { name: 'x'.repeat(200) },
    ],
    [
      'a description may have 1,000 characters',
      { description: '🦊'.repeat(1000) },
      { description: '🦊'.repeat(1000) },
    ],
  ])('accepts valid members: %s', async (_, body, expected) => {
    const created = await createGood(body);
    expect(filterOf(await asUser('GET', urlOf(created)))).toStrictEqual(created);
    expect(created).toMatchObject(expected);
  });

  test.each<readonly [string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['null as name', { name: null }, 'name'],
    ['a number as name', { name: 5 }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of white space', { name: ' \t\n\u00a0\u2003' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name of 201 code points', { name: '🦊'.repeat(201) }, 'name'],
    ['a description of 1,001 characters', { description: 'x'.repeat(1001) }, 'description'],
    ['a number as description', { description: 5 }, 'description'],
    ['no conditions', { conditions: undefined }, 'conditions'],
    ['null as conditions', { conditions: null }, 'conditions'],
    ['an array as conditions', { conditions: [] }, 'conditions'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await create(body);
    expect([
      answer.status,
      problemOf(answer).code,
      problemOf(answer).errors?.map((e) => e.path),
    ]).toStrictEqual([400, 'validation_failed', [path]]);
  });

  test('names every fault of a body at once', async () => {
    const answer = await create({
      name: '',
      description: 5,
      conditions: { operator: 'and', conditions: [] },
    });
    expect(refusalOf(answer)).toStrictEqual([
      400,
      'validation_failed',
      ['name', 'invalid_value'],
      ['description', 'invalid_value'],
      ['conditions.operator', 'invalid_group_operator'],
      ['conditions.conditions', 'empty_group'],
    ]);
  });

  test('ignores members that the server owns, and unknown ones', async () => {
    const id = newId();
    const created = await createGood({
      id,
      createdBy: id,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      version: 7,
      visibility: 'private',
      constructor: 1,
    });
    expect(created.id).not.toBe(id);
    expect(created.createdBy).toBe(service.tenants.users['A-user'].id);
    expect(created.createdAt > '2020').toBe(true);
    expect(Object.keys(created)).toStrictEqual([
      'id',
      'orgId',
      'partnerId',
      'name',
      'description',
      'conditions',
      'createdBy',
      'creator',
      'createdAt',
      'updatedAt',
    ]);
  });

  test('ignores the orgId that a caller of one organization sends', async () => {
    const { orgIds } = service.tenants;
    for (const orgId of [orgIds.B, orgIds.C, newId(), 'nonsense', 5, null]) {
      expect((await createGood({ orgId })).orgId).toBe(orgIds.A);
    }
  });

  test('a partner names the organization', async () => {
    const { orgIds, users } = service.tenants;
    const created = await createGood({ orgId: orgIds.B.toUpperCase() }, asPartner);
    expect([created.orgId, created.createdBy]).toStrictEqual([orgIds.B, users['P-all'].id]);
  });

  test.each([
    ['a partner', 'P-all', 'partner'],
    ['the system', 'system', 'system'],
    ["a partner's API key", 'key-P', 'partner'],
  ] as const)('%s has to name an organization', async (_, caller, scope) => {
    const message = `orgId is required for ${scope} scope`;
    for (const body of [{}, { orgId: null }, { name: '' }]) {
      const answer = await create(body, service.as(caller));
      const { detail, code, errors } = problemOf(answer);
      expect([answer.status, code, detail, (answer.body as { message: string }).message]).toStrictEqual([
        400,
        'validation_failed',
        message,
        message,
      ]);
      expect(errors?.[0]).toStrictEqual({ path: 'orgId', code: 'value_required', message });
    }
  });

  test('a partner is refused an organization out of reach, existing or not', async () => {
    const { orgIds } = service.tenants;
    for (const orgId of [orgIds.C, newId()]) {
      expect(refusalOf(await create({ orgId }, asPartner))).toStrictEqual([403, 'forbidden']);
    }
    expect(refusalOf(await create({ orgId: orgIds.B }, service.as('P-subset')))).toStrictEqual([
      403,
      'forbidden',
    ]);
    expect(refusalOf(await create({ orgId: orgIds.A }, service.as('P-none')))).toStrictEqual([
      403,
      'forbidden',
    ]);
  });

  test('the system is refused an organization that does not exist', async () => {
    expect(refusalOf(await create({ orgId: newId() }, asSystem))).toStrictEqual([
      400,
      'validation_failed',
      ['orgId', 'unknown_organization'],
    ]);
    expect((await createGood({ orgId: service.tenants.orgIds.C }, asSystem)).orgId).toBe(
      service.tenants.orgIds.C,
    );
  });

  test.each(['P-all', 'system'] as const)('%s is refused a malformed organization id', async (caller) => {
    for (const orgId of ['nonsense', '', 5, {}, [newId()], true]) {
      expect(refusalOf(await create({ orgId }, service.as(caller)))).toStrictEqual([
        400,
        'validation_failed',
        ['orgId', 'invalid_value'],
      ]);
    }
  });

  test('an API key narrowed to an organization creates filters there without naming it', async () => {
    const created = await createGood({}, service.as('key-P-to-A'));
    expect([created.orgId, created.createdBy]).toStrictEqual([
      service.tenants.orgIds.A,
      service.tenants.users['P-all'].id,
    ]);
  });

  test('conditions come back as they were sent', async () => {
    const text =
      '{"operator":"OR","conditions":[{"value":"10","operator":"equals","field":"uptimeSeconds"},' +
      '{"field":"uptimeSeconds","operator":"between","value":{"to":2.5,"from":-0.000001}},' +
      '{"field":"hostname","operator":"isNull","value":null},' +
      '{"field":"isHeadless","operator":"equals","value":"true"},' +
      '{"conditions":[{"field":"hostname","operator":"in","value":["b","a","b","Ünï-🦊\\u001f"]}],"operator":"AND"}]}';
    const answer = await asUser('POST', FILTERS, `{"name":"Exact","conditions":${text}}`);
    expect(answer.status).toBe(201);
    const read = await asUser('GET', urlOf(filterOf(answer)));
    expect(read.text.includes(`"conditions":${text},`)).toBe(true);
  });
});

describe('GET /filters', () => {
  test('lists newest first, then by descending id, with the total', async () => {
    const ask = service.as('C-user');
    const created: string[] = [];
    for (const name of ['one', 'two', 'three', 'four']) created.push((await createGood({ name }, ask)).id);
    await service.probe.setFiltersCreated(created, Date.UTC(2026, 1, 10, 8));
    const { data, total } = listOf(await ask('GET', FILTERS));
    expect(total).toBe(data.length);
    expect(data.slice(-4).map(({ id }) => id)).toStrictEqual(created.toReversed());
    expect(data.map(({ createdAt }) => createdAt)).toStrictEqual(
      data
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
    expect(data.at(-1)).toStrictEqual(filterOf(await ask('GET', `${FILTERS}/${created[0]}`)));
  });

  test('a partner sees the filters of all its organizations, and the system sees all filters', async () => {
    const orgsOf = async (ask: Ask) =>
      new Set(listOf(await ask('GET', FILTERS)).data.map(({ orgId }) => orgId));
    const { orgIds } = service.tenants;
    await createGood({ orgId: orgIds.C }, asSystem);
    expect(await orgsOf(asUser)).toStrictEqual(new Set([orgIds.A]));
    expect(await orgsOf(asPartner)).toStrictEqual(new Set([orgIds.A, orgIds.B]));
    expect(await orgsOf(asSystem)).toStrictEqual(new Set([orgIds.A, orgIds.B, orgIds.C]));
    expect((await service.as('P-none')('GET', FILTERS)).text).toBe('{"data":[],"total":0}');
  });

  test.each<readonly [string, readonly string[]]>([
    ['', ['percent', 'plain', 'umlaut']],
    ['%20%20', ['percent', 'plain', 'umlaut']],
    ['SERVER', ['plain']],
    ['%20sErVeR%09', ['plain']],
    ['MAIN', ['plain']],
    ['100%25', ['percent']],
    ['%25', ['percent']],
    ['_', ['percent']],
    ['%5C', ['percent']],
    ['Z%C3%9CRICH', ['umlaut']],
    ['zurich', []],
    ['in%20the%20main', ['plain']],
    ['online', []],
  ])('search=%s finds %j', async (search, names) => {
    const ask = service.as('B-user');
    const wanted = [
      { name: 'plain', description: 'Server in the main room' },
      { name: 'percent', description: 'a_b 100% C:\\x' },
      { name: 'umlaut', description: 'Büro Zürich' },
    ];
    const known = listOf(await ask('GET', FILTERS)).data;
    for (const body of wanted) if (!known.some(({ name }) => name === body.name)) await createGood(body, ask);
    const { data, total } = listOf(await ask('GET', `${FILTERS}?search=${search}`));
    const found = data.map(({ name }) => name).filter((name) => wanted.some((body) => body.name === name));
    expect(found.toSorted()).toStrictEqual(names);
    expect(total).toBe(data.length);
  });

  test.each(['%00', 'a%00b', '%ED%A0%80', '%FF'])('refuses the search %s', async (search) => {
    expect(refusalOf(await asUser('GET', `${FILTERS}?search=${search}`))).toStrictEqual([
      400,
      'validation_failed',
      ['search', 'invalid_value'],
    ]);
  });
});

describe('GET /filters/:id', () => {
  test('answers any caller with access to the organization', async () => {
    const created = await createGood();
    for (const name of [
      'A-admin',
      'P-all',
      'P-subset',
      'system',
      'key-A',
      'key-P',
      'key-P-to-A',
      'key-system',
    ] as const) {
      const answer = await service.as(name)('GET', urlOf(created));
      expect([answer.status, answer.body]).toStrictEqual([200, created]);
    }
  });

  test('accepts an id in upper case', async () => {
    const created = await createGood();
    expect(filterOf(await asUser('GET', `${FILTERS}/${created.id.toUpperCase()}`))).toStrictEqual(created);
  });

  test('foreign, unknown and malformed ids are the same 404', async () => {
    const answers = await Promise.all(
      [
        service.tenants.filters.B.id,
        service.tenants.filters.C.id,
        newId(),
        'nonsense',
        '1',
        '%00',
        '..%2f',
        '🦊',
      ].map((id) =>
        asUser('GET', `${FILTERS}/${encodeURIComponent(id).replaceAll('%25', '%')}`, undefined, {
          'X-Request-Id': 'same',
        }),
      ),
    );
    for (const { status, body, headers } of answers) {
      expect([status, body, headers.get('etag')]).toStrictEqual([404, answers[0]?.body, null]);
    }
    expect(refusalOf(answers[0] as Answer)).toStrictEqual([404, 'not_found']);
  });

  test('answers 304 to a caller with the current ETag', async () => {
    const created = await createGood();
    const etag = etagOf(await asUser('GET', urlOf(created)));
    const again = await asUser('GET', urlOf(created), undefined, { 'If-None-Match': etag });
    expect([again.status, again.text, etagOf(again)]).toStrictEqual([304, '', etag]);
  });
});

describe('PATCH /filters/:id', () => {
  const patch = (url: string, body: unknown, headers?: Readonly<Record<string, string>>, ask = asUser) =>
    ask('PATCH', url, body, headers);

  test.each<readonly [string, object]>([
    ['name', { name: 'Renamed' }],
    ['description', { description: 'Other' }],
    ['conditions', { conditions: OFFLINE }],
    ['all members', { name: 'Renamed', description: 'Other', conditions: OFFLINE }],
    ['a description cleared', { description: null }],
  ])('changes %s and nothing else', async (_, change) => {
    const created = await createGood({ description: 'Before' });
    const answer = await patch(urlOf(created), change);
    const changed = filterOf(answer);
    expect(answer.status).toBe(200);
    expect(changed).toStrictEqual({ ...created, ...change, updatedAt: changed.updatedAt });
    expect(changed.updatedAt > created.updatedAt).toBe(true);
    expect(filterOf(await asUser('GET', urlOf(created)))).toStrictEqual(changed);
  });

  test.each<readonly [string, object]>([
    ['an empty body', {}],
    ['the same content', { name: ' Same ', description: 'Same', conditions: ONLINE }],
    ['the same content with members in another order', { conditions: membersReversed(ONLINE) }],
    [
      'members that the server owns',
      { id: newId(), orgId: newId(), createdBy: newId(), createdAt: 'x', updatedAt: 5 },
    ],
    ['unknown members', { nam: 'typo' }],
  ])('keeps updatedAt and the ETag for %s', async (_, body) => {
    const created = await create({ name: 'Same', description: 'Same' });
    const answer = await patch(urlOf(filterOf(created)), body);
    expect([answer.status, answer.body, etagOf(answer)]).toStrictEqual([200, created.body, etagOf(created)]);
  });

  test.each<readonly [string, object, readonly (readonly [string, string])[]]>([
    ['a null name', { name: null }, [['name', 'invalid_value']]],
    ['an empty name', { name: ' ' }, [['name', 'invalid_value']]],
    ['a long name', { name: 'x'.repeat(201) }, [['name', 'invalid_value']]],
    ['a long description', { description: 'x'.repeat(1001) }, [['description', 'invalid_value']]],
    ['null as conditions', { conditions: null }, [['conditions', 'not_a_group']]],
    [
      'an unknown field',
      { conditions: { operator: 'AND', conditions: [{ field: 'x', operator: 'equals', value: 1 }] } },
      [['conditions.conditions[0].field', 'unknown_field']],
    ],
  ])('refuses %s and changes nothing', async (_, body, errors) => {
    const created = await createGood({ description: 'Stays' });
    expect(refusalOf(await patch(urlOf(created), { description: 'Gone', ...body }))).toStrictEqual([
      400,
      'validation_failed',
      ...errors,
    ]);
    expect(filterOf(await asUser('GET', urlOf(created)))).toStrictEqual(created);
  });

  test('If-Match lets the first of two writers through and stops the second', async () => {
    const created = await create();
    const url = urlOf(filterOf(created));
    const seen = { 'If-Match': etagOf(created) };
    const first = await patch(url, { name: 'First' }, seen);
    expect([first.status, etagOf(first) === etagOf(created)]).toStrictEqual([200, false]);
    expect(refusalOf(await patch(url, { name: 'Second' }, seen))).toStrictEqual([412, 'precondition_failed']);
    expect(filterOf(await asUser('GET', url)).name).toBe('First');
    expect((await patch(url, { name: 'Third' }, { 'If-Match': etagOf(first) })).status).toBe(200);
    expect(
      (await patch(url, { name: 'Fourth' }, { 'If-Match': `"other", ${etagOf(await asUser('GET', url))}` }))
        .status,
    ).toBe(200);
    expect((await patch(url, { name: 'Fifth' }, { 'If-Match': '*' })).status).toBe(200);
    expect((await patch(url, { name: 'Sixth' }, { 'If-Match': 'garbage' })).status).toBe(412);
  });

  test('only one of four concurrent writers with the same ETag succeeds', async () => {
    const created = await create();
    const headers = { 'If-Match': etagOf(created) };
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => patch(urlOf(filterOf(created)), { name }, headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 412, 412, 412]);
  });

  test('a filter out of reach is 404, whatever the body', async () => {
    for (const id of [service.tenants.filters.C.id, newId(), 'nonsense']) {
      for (const body of [{ name: 'x' }, {}, { name: '' }]) {
        expect(refusalOf(await patch(`${FILTERS}/${id}`, body, { 'If-Match': '*' }))).toStrictEqual([
          404,
          'not_found',
        ]);
      }
    }
  });
});

describe('DELETE /filters/:id', () => {
  test('answers with the filter and removes it', async () => {
    const created = await createGood({ description: 'Short-lived' });
    const answer = await asUser('DELETE', urlOf(created));
    expect([answer.status, answer.body]).toStrictEqual([200, created]);
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/preview'],
    ] as const) {
      expect(refusalOf(await asUser(method, `${urlOf(created)}${suffix}`))).toStrictEqual([404, 'not_found']);
    }
    expect(refusalOf(await asUser('PATCH', urlOf(created), {}))).toStrictEqual([404, 'not_found']);
  });

  test('honors If-Match', async () => {
    const created = await create();
    const url = urlOf(filterOf(created));
    expect(refusalOf(await asUser('DELETE', url, undefined, { 'If-Match': '"999"' }))).toStrictEqual([
      412,
      'precondition_failed',
    ]);
    expect((await asUser('DELETE', url, undefined, { 'If-Match': etagOf(created) })).status).toBe(200);
    const other = await createGood();
    expect((await asUser('DELETE', urlOf(other), undefined, { 'If-Match': '*' })).status).toBe(200);
  });

  test('foreign filters are 404 and stay', async () => {
    for (const id of [service.tenants.filters.B.id, service.tenants.filters.C.id, newId(), 'nonsense']) {
      expect(refusalOf(await asUser('DELETE', `${FILTERS}/${id}`))).toStrictEqual([404, 'not_found']);
    }
    expect((await asSystem('GET', `${FILTERS}/${service.tenants.filters.C.id}`)).status).toBe(200);
  });
});
