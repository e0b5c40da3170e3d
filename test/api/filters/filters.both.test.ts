/** Saved filters, previews and fields over HTTP: a row for each line of the specification and of contract §1, §3 and §5. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  FILTERS,
  filterOf,
  hostnamesOf,
  listOf,
  PREVIEW,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { canaryOf } from '#test/api/service/tenants.ts';
import { aCustomField, aDevice, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const ONLINE = { operator: 'AND', conditions: [{ field: 'status', operator: 'equals', value: 'online' }] };
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

const create = (body: object = {}, ask = asUser) =>
  ask('POST', FILTERS, { name: 'Online', conditions: ONLINE, ...body });
const createGood = async (body: object = {}, ask = asUser) => filterOf(await create(body, ask));
const urlOf = ({ id }: { readonly id: string }) => `${FILTERS}/${id}`;
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

describe('POST /filters', () => {
  test('answers 201 with the eight fields, where it is, and its tag', async () => {
    const before = Date.now();
    const answer = await create({ name: 'Laptops', description: 'Of the sales team' });
    const filter = filterOf(answer);
    expect([answer.status, answer.headers.get('content-type'), filter]).toStrictEqual([
      201,
      'application/json',
      {
        id: expect.stringMatching(UUID_V7),
        orgId: service.tenants.orgIds.A,
        name: 'Laptops',
        description: 'Of the sales team',
        conditions: ONLINE,
        createdBy: service.tenants.users['A-user'].id,
        createdAt: expect.stringMatching(INSTANT),
        updatedAt: filter.createdAt,
      },
    ]);
    expect(Date.parse(filter.createdAt)).toBeGreaterThanOrEqual(before);
    expect(answer.headers.get('location')).toBe(urlOf(filter));
    expect(etagOf(answer)).toMatch(/^"[^"]+"$/);
  });

  test.each<readonly [string, object, object]>([
    ['no description is null', {}, { description: null }],
    ['a null description is accepted', { description: null }, { description: null }],
    ['an empty description stays one', { description: '' }, { description: '' }],
    ['a description is not trimmed', { description: ' a ' }, { description: ' a ' }],
    ['a name is trimmed', { name: ' \t a b \n' }, { name: 'a b' }],
    ['1 character is a name', { name: 'x' }, { name: 'x' }],
    ['200 characters are a name', { name: 'é'.repeat(200) }, { name: 'é'.repeat(200) }],
    ['length counts code points', { name: '🦊'.repeat(200) }, { name: '🦊'.repeat(200) }],
    ['and does so after trimming', { name: `  ${'x'.repeat(200)}  ` }, { name: 'x'.repeat(200) }],
    [
      '1,000 characters of description',
      { description: '🦊'.repeat(1000) },
      { description: '🦊'.repeat(1000) },
    ],
  ])('takes what is allowed: %s', async (_, body, expected) => {
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
    ['201 characters of name', { name: 'x'.repeat(201) }, 'name'],
    ['201 code points of name', { name: '🦊'.repeat(201) }, 'name'],
    ['1,001 characters of description', { description: 'x'.repeat(1001) }, 'description'],
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

  test('ignores members that the server owns, and those that nobody knows', async () => {
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
      'name',
      'description',
      'conditions',
      'createdBy',
      'createdAt',
      'updatedAt',
    ]);
  });

  test('an organization caller cannot say another organization, nor a malformed one', async () => {
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
  ] as const)('%s has to name one', async (_, caller, scope) => {
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

  test('a key that is narrowed to an organization creates there without naming it', async () => {
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
  test('lists newest first, ties by id, descending, with the total', async () => {
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

  test('a partner sees those of all its organizations, and the system those of all', async () => {
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

  test('takes an id in capitals', async () => {
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

  test('the tag answers 304 to whoever has it', async () => {
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
    ['all', { name: 'Renamed', description: 'Other', conditions: OFFLINE }],
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
    ['nothing', {}],
    ['what it is', { name: ' Same ', description: 'Same', conditions: ONLINE }],
    [
      'members of the server',
      { id: newId(), orgId: newId(), createdBy: newId(), createdAt: 'x', updatedAt: 5 },
    ],
    ['members that nobody knows', { nam: 'typo' }],
  ])('leaves updatedAt and the tag as they were where %s is sent', async (_, body) => {
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

  test('two writers at once with the same tag: one wins', async () => {
    const created = await create();
    const headers = { 'If-Match': etagOf(created) };
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => patch(urlOf(filterOf(created)), { name }, headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 412, 412, 412]);
  });

  test('what is out of reach is not there, whatever is sent', async () => {
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
  test('answers with the filter, which is gone then', async () => {
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

  test('honours If-Match', async () => {
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

  test('foreign ids are not there, and stay', async () => {
    for (const id of [service.tenants.filters.B.id, service.tenants.filters.C.id, newId(), 'nonsense']) {
      expect(refusalOf(await asUser('DELETE', `${FILTERS}/${id}`))).toStrictEqual([404, 'not_found']);
    }
    expect((await asSystem('GET', `${FILTERS}/${service.tenants.filters.C.id}`)).status).toBe(200);
  });
});

describe('POST /filters/preview', () => {
  const preview = (body: object, ask = asUser) => ask('POST', PREVIEW, body);
  const EVERYWHERE = {
    operator: 'AND',
    conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
  };

  test('answers with total, devices and the instant', async () => {
    const before = Date.now();
    const answer = await preview({ conditions: EVERYWHERE });
    const { evaluatedAt, devices } = previewOf(answer);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        data: {
          totalCount: 3,
          devices: [1, 2, 3].map((number) => ({
            id: expect.stringMatching(UUID_V7),
            hostname: `${canaryOf('A')}-${number}`,
            displayName: `Device ${number} of A`,
            osType: null,
            status: 'online',
            lastSeenAt: null,
          })),
          evaluatedAt: expect.stringMatching(INSTANT),
        },
      },
    ]);
    expect(Date.parse(evaluatedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(evaluatedAt)).toBeLessThanOrEqual(Date.now());
    expect(devices).toHaveLength(3);
  });

  test('covers every organization in reach: of a partner, of a subset, of nobody, of the system', async () => {
    const totals: Record<string, number> = {};
    for (const name of [
      'A-user',
      'P-all',
      'P-subset',
      'P-none',
      'Q-all',
      'system',
      'key-P',
      'key-P-to-A',
      'key-P-to-C',
      'key-A-to-C',
    ] as const) {
      totals[name] = previewOf(await preview({ conditions: EVERYWHERE }, service.as(name))).totalCount;
    }
    expect(totals).toStrictEqual({
      'A-user': 3,
      'P-all': 5,
      'P-subset': 3,
      'P-none': 0,
      'Q-all': 1,
      system: 6,
      'key-P': 5,
      'key-P-to-A': 3,
      'key-P-to-C': 0,
      'key-A-to-C': 0,
    });
  });

  test('trims to limit, 10 unless said otherwise, over all organizations at once', async () => {
    const { orgIds } = service.tenants;
    const names = Array.from({ length: 120 }, (_, i) => `limit-${String(i).padStart(3, '0')}`);
    await loadFleet(
      service.composition.backend,
      names.map((hostname, i) => aDevice({ orgId: i % 2 === 0 ? orgIds.A : orgIds.B, hostname })),
    );
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'startsWith', value: 'limit-' }],
    };
    for (const [limit, count] of [
      [undefined, 10],
      [1, 1],
      [10, 10],
      [100, 100],
    ] as const) {
      const { totalCount, devices } = previewOf(await preview({ conditions, limit }, asPartner));
      expect([totalCount, devices.map(({ hostname }) => hostname)]).toStrictEqual([
        120,
        names.slice(0, count),
      ]);
    }
  });

  test('devices come by lower-cased hostname in code point order, then id', async () => {
    const orgId = service.tenants.orgIds.A;
    const hostnames = [
      'order-b',
      'order-A',
      'ORDER-_',
      'order-a',
      'order-Z',
      'order-ä',
      'order-10',
      'order-9',
      'order-🦊',
      'order-\uffee',
    ];
    const devices = hostnames.map((hostname) => aDevice({ orgId, hostname }));
    await loadFleet(service.composition.backend, devices.toReversed());
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'startsWith', value: 'order-' }],
    };
    expect(hostnamesOf(await preview({ conditions, limit: 100 }))).toStrictEqual([
      'order-10',
      'order-9',
      'ORDER-_',
      'order-A',
      'order-a',
      'order-b',
      'order-Z',
      'order-ä',
      'order-\uffee',
      'order-🦊',
    ]);
  });

  test.each([0, 101, -1, 1.5, '10', 'abc', '', null, true, [], {}])('refuses the limit %j', async (limit) => {
    expect(refusalOf(await preview({ conditions: EVERYWHERE, limit }))).toStrictEqual([
      400,
      'validation_failed',
      ['limit', 'out_of_range'],
    ]);
  });

  test('ignores members that it does not know, and orgId is one', async () => {
    const answer = await preview({
      conditions: EVERYWHERE,
      orgId: service.tenants.orgIds.C,
      offset: 5,
      name: 1,
    });
    expect(previewOf(answer).totalCount).toBe(3);
  });

  test('orgId as a condition narrows and never widens', async () => {
    const { orgIds } = service.tenants;
    const within = (orgId: string) => ({
      conditions: {
        operator: 'AND',
        conditions: [...EVERYWHERE.conditions, { field: 'orgId', operator: 'equals', value: orgId }],
      },
    });
    expect(previewOf(await preview(within(orgIds.B), asPartner)).totalCount).toBe(2);
    expect(previewOf(await preview(within(orgIds.C), asPartner)).totalCount).toBe(0);
    expect(previewOf(await preview(within(newId()), asPartner)).totalCount).toBe(0);
    expect(previewOf(await preview(within(orgIds.C), asSystem)).totalCount).toBe(1);
  });
});

describe('POST /filters/:id/preview', () => {
  test('covers the organization of the filter, whoever asks', async () => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    for (const name of ['A-user', 'P-all', 'P-subset', 'system', 'key-P'] as const) {
      const { totalCount, devices } = previewOf(await service.as(name)('POST', url));
      expect([totalCount, devices.length]).toStrictEqual([3, 3]);
    }
  });

  test('takes limit from the query, and needs no body', async () => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    expect(previewOf(await asUser('POST', `${url}?limit=2`)).devices).toHaveLength(2);
    expect(previewOf(await asUser('POST', `${url}?limit=100`)).devices).toHaveLength(3);
    expect(previewOf(await asUser('POST', url, '{"limit":1}')).devices).toHaveLength(3);
    expect(previewOf(await asUser('POST', url, '', { 'Content-Type': 'text/plain' })).devices).toHaveLength(
      3,
    );
  });

  test.each([
    ['{"limit":', 'application/json', 400, 'invalid_json'],
    ['{}', 'text/plain', 415, 'unsupported_media_type'],
  ])('refuses %s as %s, as every route does', async (body, type, status, code) => {
    const url = `${FILTERS}/${service.tenants.filters.A.id}/preview`;
    expect(refusalOf(await asUser('POST', url, body, { 'Content-Type': type }))).toStrictEqual([
      status,
      code,
    ]);
  });

  test.each(['0', '101', '1.5', 'abc', '', '-1', '+5', '1e1', '0x10', '007', '%2010', '5&limit=6'])(
    'refuses limit=%s',
    async (limit) => {
      const url = `${FILTERS}/${service.tenants.filters.A.id}/preview?limit=${limit}`;
      const answer = await asUser('POST', url);
      expect([answer.status, problemOf(answer).code, problemOf(answer).errors?.[0]?.path]).toStrictEqual([
        400,
        'validation_failed',
        'limit',
      ]);
    },
  );

  test('foreign, unknown and malformed ids are not there', async () => {
    for (const id of [service.tenants.filters.C.id, newId(), 'nonsense', 'fields']) {
      expect(refusalOf(await asUser('POST', `${FILTERS}/${id}/preview`))).toStrictEqual([404, 'not_found']);
    }
  });

  test('custom fields mean what they mean in the organization: its own definition before the partner’s', async () => {
    const { orgIds, partnerIds } = service.tenants;
    await loadFleet(service.composition.backend, [
      aCustomField({ owner: { kind: 'partner', partnerId: partnerIds.P }, key: 'level', type: 'number' }),
      aCustomField({ owner: { kind: 'organization', orgId: orgIds.B }, key: 'level', type: 'text' }),
      aDevice({ orgId: orgIds.A, hostname: 'level-a', custom: new Map([['level', 10]]) }),
      aDevice({ orgId: orgIds.B, hostname: 'level-b', custom: new Map([['level', '10']]) }),
    ]);
    const conditions = (value: unknown, operator: string) => ({
      operator: 'AND',
      conditions: [{ field: 'custom.level', operator, value }],
    });
    const numeric = await createGood(
      { orgId: orgIds.A, conditions: conditions(9, 'greaterThan') },
      asPartner,
    );
    const textual = await createGood(
      { orgId: orgIds.B, conditions: conditions('1', 'startsWith') },
      asPartner,
    );
    expect(hostnamesOf(await asPartner('POST', `${urlOf(numeric)}/preview`))).toStrictEqual(['level-a']);
    expect(hostnamesOf(await asPartner('POST', `${urlOf(textual)}/preview`))).toStrictEqual(['level-b']);
    expect(
      refusalOf(await create({ orgId: orgIds.B, conditions: conditions(9, 'greaterThan') }, asPartner)),
    ).toStrictEqual([
      400,
      'validation_failed',
      ['conditions.conditions[0].operator', 'operator_not_allowed'],
    ]);
    const adHoc = await asPartner('POST', PREVIEW, { conditions: conditions(9, 'greaterThan') });
    expect(refusalOf(adHoc)).toStrictEqual([
      400,
      'ambiguous_custom_field',
      ['conditions.conditions[0].field', 'ambiguous_custom_field'],
    ]);
    const listed = (await asPartner('GET', `${FILTERS}/fields`)).body as { data: { key: string }[] };
    expect(listed.data.filter(({ key }) => key === 'custom.level')).toStrictEqual([
      { key: 'custom.level', label: 'level', category: 'custom', operators: [], ambiguous: true },
    ]);
  });

  test('a filter whose field has gone lists and reads, and its preview names the field', async () => {
    const { orgIds } = service.tenants;
    const field = aCustomField({ owner: { kind: 'organization', orgId: orgIds.A }, key: 'short_lived' });
    await loadFleet(service.composition.backend, [field]);
    const created = await createGood({
      conditions: { operator: 'AND', conditions: [{ field: 'custom.short_lived', operator: 'isNull' }] },
    });
    await service.probe.removeCustomField(field.id);
    expect(filterOf(await asUser('GET', urlOf(created)))).toStrictEqual(created);
    expect(listOf(await asUser('GET', FILTERS)).data).toContainEqual(created);
    const answer = await asUser('POST', `${urlOf(created)}/preview`);
    expect(refusalOf(answer)).toStrictEqual([
      400,
      'validation_failed',
      ['conditions.conditions[0].field', 'unknown_field'],
    ]);
    expect(problemOf(answer).detail).toContain('custom.short_lived');
    expect(filterOf(await asUser('PATCH', urlOf(created), { name: 'Renamed all the same' })).name).toBe(
      'Renamed all the same',
    );
  });
});

describe('GET /filters/fields', () => {
  const STRING = [
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'endsWith',
    'matches',
    'in',
    'notIn',
    'isNull',
    'isNotNull',
  ];
  const ENUM = ['equals', 'notEquals', 'in', 'notIn'];
  const DATETIME = [
    'equals',
    'notEquals',
    'before',
    'after',
    'between',
    'withinLast',
    'notWithinLast',
    'isNull',
    'isNotNull',
  ];
  const ARRAY = ['hasAny', 'hasAll', 'isEmpty', 'isNotEmpty', 'contains'];
  const BOOLEAN = ['equals', 'notEquals', 'isNull', 'isNotNull'];
  const NUMBER = [
    'equals',
    'notEquals',
    'greaterThan',
    'greaterThanOrEquals',
    'lessThan',
    'lessThanOrEquals',
    'between',
    'isNull',
    'isNotNull',
  ];
  const CAPABILITY = ['equals', 'notEquals'];
  const OWNERSHIP = ['equals', 'in'];

  /** Written down from the specification and contract §3, not from the product. */
  const FIELDS: Readonly<
    Record<string, readonly [type: string, operators: readonly string[], values?: readonly string[]]>
  > = {
    hostname: ['string', STRING],
    displayName: ['string', STRING],
    status: [
      'enum',
      ENUM,
      ['online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending'],
    ],
    agentVersion: ['string', STRING],
    enrolledAt: ['datetime', DATETIME],
    lastSeenAt: ['datetime', DATETIME],
    tags: ['array', ARRAY],
    'tags.name': ['string', STRING],
    deviceRole: [
      'enum',
      ENUM,
      [
        'workstation',
        'server',
        'printer',
        'router',
        'switch',
        'firewall',
        'access_point',
        'phone',
        'iot',
        'camera',
        'nas',
        'unknown',
      ],
    ],
    lastUser: ['string', STRING],
    isHeadless: ['boolean', BOOLEAN],
    uptimeSeconds: ['number', NUMBER],
    watchdogStatus: ['enum', ENUM, ['connected', 'failover', 'offline']],
    quarantinedAt: ['datetime', DATETIME],
    'patches.pending': ['boolean', CAPABILITY],
    'alerts.critical': ['boolean', CAPABILITY],
    'system.rebootRequired': ['boolean', CAPABILITY],
    osType: ['enum', ENUM, ['windows', 'macos', 'linux']],
    architecture: ['enum', ENUM, ['x64', 'x86', 'arm64']],
    osVersion: ['string', STRING],
    osBuild: ['string', STRING],
    lastSeenIp: ['string', STRING],
    'hardware.manufacturer': ['string', STRING],
    'hardware.model': ['string', STRING],
    'hardware.serialNumber': ['string', STRING],
    'hardware.cpuModel': ['string', STRING],
    'hardware.gpuModel': ['string', STRING],
    'hardware.cpuCores': ['number', NUMBER],
    'hardware.ramTotalMb': ['number', NUMBER],
    'hardware.diskTotalGb': ['number', NUMBER],
    'network.ipAddress': ['string', STRING],
    'network.publicIp': ['string', STRING],
    'network.macAddress': ['string', STRING],
    'metrics.cpuPercent': ['number', NUMBER],
    'metrics.ramPercent': ['number', NUMBER],
    'metrics.diskPercent': ['number', NUMBER],
    'software.installed': ['string', ['contains', 'notContains', 'equals', 'in', 'hasAny', 'hasAll']],
    'software.notInstalled': ['string', ['contains', 'equals', 'in', 'hasAny']],
    orgId: ['string', OWNERSHIP],
    siteId: ['string', OWNERSHIP],
    daysSinceLastSeen: ['number', NUMBER],
    daysSinceEnrolled: ['number', NUMBER],
  };

  interface Field {
    readonly key: string;
    readonly label: string;
    readonly category: string;
    readonly type: string;
    readonly operators: readonly string[];
    readonly values?: readonly string[];
  }
  const fieldsOf = async (ask: Ask) =>
    ((await ask('GET', `${FILTERS}/fields`)).body as { data: readonly Field[] }).data;

  test('lists every core field with its type, operators and values', async () => {
    const fields = (await fieldsOf(asUser)).filter(({ key }) => !key.startsWith('custom.'));
    const listed = fields.map(({ key, type, operators, values }) => [
      key,
      values === undefined ? [type, operators.toSorted()] : [type, operators.toSorted(), values.toSorted()],
    ]);
    const expected = Object.entries(FIELDS).map(([key, [type, operators, values]]) => [
      key,
      values === undefined ? [type, operators.toSorted()] : [type, operators.toSorted(), values.toSorted()],
    ]);
    expect(Object.fromEntries(listed)).toStrictEqual(Object.fromEntries(expected));
    expect(fields.every(({ label, category }) => label !== '' && category !== '')).toBe(true);
  });

  test('lists custom fields as defined, of the organizations in reach and their partner', async () => {
    const { orgIds } = service.tenants;
    const owner = { kind: 'organization', orgId: orgIds.C } as const;
    await loadFleet(service.composition.backend, [
      aCustomField({ owner, key: 'a_text', type: 'text', name: 'Text' }),
      aCustomField({ owner, key: 'b_number', type: 'number' }),
      aCustomField({ owner, key: 'c_boolean', type: 'boolean' }),
      aCustomField({ owner, key: 'd_dropdown', type: 'dropdown', choices: ['x', 'y'] }),
      aCustomField({ owner, key: 'e_date', type: 'date' }),
    ]);
    const custom = (await fieldsOf(service.as('Q-all'))).filter(({ key }) => key.startsWith('custom.'));
    expect(custom).toStrictEqual([
      { key: 'custom.a_text', label: 'Text', category: 'custom', type: 'string', operators: STRING },
      { key: 'custom.b_number', label: 'b_number', category: 'custom', type: 'number', operators: NUMBER },
      {
        key: 'custom.c_boolean',
        label: 'c_boolean',
        category: 'custom',
        type: 'boolean',
        operators: BOOLEAN,
      },
      {
        key: 'custom.d_dropdown',
        label: 'd_dropdown',
        category: 'custom',
        type: 'enum',
        operators: ENUM,
        values: ['x', 'y'],
      },
      { key: 'custom.e_date', label: 'e_date', category: 'custom', type: 'datetime', operators: DATETIME },
      { key: 'custom.of_c', label: canaryOf('C'), category: 'custom', type: 'string', operators: STRING },
      { key: 'custom.of_q', label: 'Of Q', category: 'custom', type: 'datetime', operators: DATETIME },
    ]);
  });
});
