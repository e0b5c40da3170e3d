/** Filters as text over HTTP: a test for each line of contract §11. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  FILTERS,
  hostnamesOf,
  PREVIEW,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import type { KeyName, UserName } from '#test/api/service/tenants.ts';
import { aCustomField, aDevice, anOrganization, aSite, aUser, newId } from '#test/support/builders.ts';
import { and, or, type RawGroup } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

const PARSE = `${FILTERS}/parse`;
const FORMAT = `${FILTERS}/format`;

interface Parsed {
  readonly conditions: unknown;
  readonly q: string;
}

let service: TestService;
let ask: Ask;
beforeAll(async () => {
  service = await startService();
  ask = service.as('A-user');
});
afterAll(() => service.close());

const pathFor = (q: string) => `${PARSE}?${new URLSearchParams({ q })}`;

function dataOf<T>({ status, text, body }: Answer): T {
  if (status !== 200) throw new Error(`no data were answered: ${status} ${text}`);
  return (body as { data: T }).data;
}

/** Checks that GET and POST answer alike, and returns the answer. */
async function parse(as: Ask, q: string): Promise<Answer> {
  const headers = { 'X-Request-Id': 'same' };
  const asked = await as('GET', pathFor(q), undefined, headers);
  const sent = await as('POST', PARSE, { q }, headers);
  expect([sent.status, sent.text]).toStrictEqual([asked.status, asked.text]);
  return asked;
}

const is = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});

describe('a filter text', () => {
  test.each<[string, RawGroup, string]>([
    ['status:online', and(is('status', 'equals', 'online')), 'status:online'],
    [
      '  status:online  AND\ttags:vip ',
      and(is('status', 'equals', 'online'), is('tags', 'contains', 'vip')),
      'status:online tags:vip',
    ],
    [
      'OS:windows OR (osType:linux)',
      or(is('osType', 'equals', 'windows'), is('osType', 'equals', 'linux')),
      'os:windows OR os:linux',
    ],
    [
      'chrome',
      or(
        is('hostname', 'contains', 'chrome'),
        is('displayName', 'contains', 'chrome'),
        is('lastUser', 'contains', 'chrome'),
      ),
      'chrome',
    ],
    [
      '-role:printer seen:<7d',
      and(
        is('deviceRole', 'notEquals', 'printer'),
        is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }),
      ),
      '-role:printer seen:<7d',
    ],
    ['user:CORP\\jdoe', and(is('lastUser', 'contains', 'CORP\\jdoe')), 'user:CORP\\jdoe'],
    ['host:/^web (a|b)/', and(is('hostname', 'matches', '^web (a|b)')), 'host:/^web (a|b)/'],
    ['custom.of_a:x', and(is('custom.of_a', 'contains', 'x')), 'custom.of_a:x'],
    ['custom.of_p:>=5', and(is('custom.of_p', 'greaterThanOrEquals', 5)), 'custom.of_p:>=5'],
  ])('%s is parsed and normalized', async (q, conditions, normalised) => {
    const answer = await parse(ask, q);
    expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'application/json']);
    const parsed = dataOf<Parsed>(answer);
    expect(parsed.q).toBe(normalised);
    const expected = dataOf<{ q: string }>(await ask('POST', FORMAT, { conditions }));
    expect(expected.q).toBe(normalised);
    // A preview accepts the conditions, and the normalized text parses to itself.
    expect((await ask('POST', PREVIEW, { conditions: parsed.conditions })).status).toBe(200);
    expect(dataOf<Parsed>(await parse(ask, normalised))).toStrictEqual({
      conditions: expect.anything(),
      q: normalised,
    });
  });

  test('is answered as conditions', async () => {
    expect(dataOf<Parsed>(await parse(ask, 'status:online tags:a,b')).conditions).toStrictEqual(
      and(is('status', 'equals', 'online'), is('tags', 'hasAny', ['a', 'b'])),
    );
  });

  test('can have thirty thousand levels', async () => {
    const nested = (levels: number) =>
      `${'host:a (host:b OR ('.repeat(levels / 2)}host:c host:d${'))'.repeat(levels / 2)}`;
    const deepest = nested(30_000);
    expect(dataOf<Parsed>(await ask('POST', PARSE, { q: deepest })).q === deepest).toBe(true);
    // A body of 1 MiB holds fewer levels as conditions.
    const deep = nested(8_000);
    const { conditions } = dataOf<Parsed>(await ask('POST', PARSE, { q: deep }));
    expect(dataOf<{ q: string }>(await ask('POST', FORMAT, { conditions })).q === deep).toBe(true);
  });

  test('is not audited, whether valid or not', async () => {
    const before = await tracesOf(service);
    await parse(ask, 'status:online');
    await parse(ask, 'nope:x');
    await ask('POST', FORMAT, { conditions: and(is('status', 'equals', 'online')) });
    await ask('GET', `${FILTERS}/complete?q=sta`);
    expect(await tracesOf(service)).toStrictEqual(before);
  });
});

describe('a faulty filter text', () => {
  type Fault = readonly [start: number, end: number, code: string, suggestions: readonly string[]];

  test.each<[string, ...Fault[]]>([
    ['', [0, 0, 'empty', []]],
    [' \t ', [0, 3, 'empty', []]],
    ['hots:web', [0, 4, 'unknown_field', ['host']]],
    // Positions count UTF-16 code units.
    ['😀 é hots:web', [5, 9, 'unknown_field', ['host']]],
    ['status:onlin', [7, 12, 'invalid_value', ['online']]],
    ['(host:a', [0, 1, 'unclosed_group', []]],
    ['host:"a', [5, 7, 'unclosed_quote', []]],
    ['-host:web*', [1, 10, 'not_negatable', []]],
    ['host:/(/', [5, 8, 'invalid_pattern', []]],
    [
      'host:/(/ nope:a user:/)/',
      [5, 8, 'invalid_pattern', []],
      [9, 13, 'unknown_field', []],
      [21, 24, 'invalid_pattern', []],
    ],
    ['org:nobody', [4, 10, 'invalid_value', []]],
    ['custom.of_c:x', [0, 11, 'unknown_field', ['custom.of_a']]],
    ['nope:a status:x', [0, 4, 'unknown_field', []], [14, 15, 'invalid_value', []]],
  ])('%j is refused with the range of each fault', async (q, ...faults) => {
    const answer = await parse(ask, q);
    const { status, code, errors, detail, message } = answer.body as Record<string, unknown> & {
      errors: readonly Record<string, unknown>[];
    };
    expect([status, code, answer.status]).toStrictEqual([400, 'validation_failed', 400]);
    expect(message).toBe(detail);
    expect(errors.map(({ message: _message, ...error }) => error)).toStrictEqual(
      faults.map(([start, end, fault, suggestions]) => ({ path: 'q', start, end, code: fault, suggestions })),
    );
    for (const error of errors) expect(error.message).toMatch(/\w/);
  });

  test('is refused with at most a hundred faults', async () => {
    const { errors } = (await parse(ask, 'nope:a '.repeat(150))).body as { errors: readonly unknown[] };
    expect(errors).toHaveLength(100);
  });

  test.each<[string, string]>([
    ['', 'value_required'],
    ['?Q=a', 'value_required'],
    ['?q=a&q=b', 'repeated_parameter'],
    ['?q=a%ffb', 'invalid_value'],
    ['?q=a%00b', 'invalid_value'],
  ])('GET /filters/parse%s is refused', async (query, code) => {
    expect(refusalOf(await ask('GET', `${PARSE}${query}`))).toStrictEqual([
      ...[400, 'validation_failed'],
      ['q', code],
    ]);
  });

  test.each<[unknown, string]>([
    [{}, 'value_required'],
    [{ q: null }, 'value_required'],
    [{ q: ['status:online'] }, 'value_required'],
    [{ q: 'a\u0000' }, 'invalid_value'],
  ])('POST /filters/parse with %j is refused', async (body, code) => {
    expect(refusalOf(await ask('POST', PARSE, body))).toStrictEqual([
      ...[400, 'validation_failed'],
      ['q', code],
    ]);
  });
});

describe('POST /filters/format', () => {
  test.each<[RawGroup, string]>([
    [and(is('hostname', 'startsWith', 'a b')), 'host:"a b"*'],
    [
      or(is('tags', 'isEmpty'), and(is('status', 'in', ['online', 'pending']))),
      'tags:none OR status:online,pending',
    ],
    [
      and(
        or(is('osType', 'notEquals', 'linux'), is('tags', 'contains', 'none')),
        is('hostname', 'equals', 'a,b'),
      ),
      '(-os:linux OR tags:"none") host:="a,b"',
    ],
  ])('formats %j as %s', async (conditions, q) => {
    expect((await ask('POST', FORMAT, { conditions })).body).toStrictEqual({ data: { q } });
  });

  test.each<[unknown, ...(readonly [string, string])[]]>([
    [{}, ['conditions', 'not_a_group']],
    [{ conditions: and() }, ['conditions.conditions', 'empty_group']],
    [{ conditions: and(is('hostnam', 'equals', 'a')) }, ['conditions.conditions[0].field', 'unknown_field']],
    [
      { conditions: and(is('hostname', 'matches', '(')) },
      ['conditions.conditions[0].value', 'invalid_pattern'],
    ],
    [
      {
        conditions: and(
          is('hostname', 'matches', '('),
          is('hostnam', 'equals', 'a'),
          or(is('custom.of_a', 'isNull'), is('lastUser', 'matches', '[')),
        ),
      },
      ['conditions.conditions[0].value', 'invalid_pattern'],
      ['conditions.conditions[1].field', 'unknown_field'],
      ['conditions.conditions[2].conditions[1].value', 'invalid_pattern'],
    ],
    [{ conditions: and(is('custom.of_c', 'isNull')) }, ['conditions.conditions[0].field', 'unknown_field']],
  ])('refuses as a preview does: %j', async (body, ...faults) => {
    const [formatted, previewed] = [await ask('POST', FORMAT, body), await ask('POST', PREVIEW, body)];
    expect(refusalOf(formatted)).toStrictEqual([400, 'validation_failed', ...faults]);
    expect(refusalOf(formatted)).toStrictEqual(refusalOf(previewed));
  });
});

describe('names of organizations and sites', () => {
  test('stand for everything in reach of that name, in any case, and are printed as ids', async () => {
    const { partnerId } = await service.inNewOrg(() => []);
    const other = await service.inNewOrg(() => []);
    const orgs = ['Straße 7, "Nord"', 'straße 7, "nord"', 'South'].map((name, i) =>
      anOrganization({ partnerId: i === 1 ? other.partnerId : partnerId, name }),
    );
    const [north = '', alike = '', south = ''] = orgs.map(({ id }): string => id);
    const staff = aUser({ membership: { scope: 'system' } });
    const site = aSite({ orgId: orgs[2]?.id ?? newId(), name: 'Keller' });
    await loadFleet(service.composition.backend, [
      ...orgs,
      staff,
      site,
      ...orgs.map(({ id: orgId, name }) =>
        aDevice({ orgId, hostname: name, siteId: name === 'South' ? site.id : null }),
      ),
    ]);
    const as = service.asUser(staff.id);
    const named = dataOf<Parsed>(await parse(as, 'org:"STRAẞE 7, \\"NORD\\""'));
    expect(named.conditions).toStrictEqual(and(is('orgId', 'in', [north, alike].toSorted())));
    expect(named.q).toBe(`org:=${[north, alike].toSorted().join(',')}`);
    expect(dataOf<Parsed>(await parse(as, 'org:south')).q).toBe(`org:${south}`);
    const atSite = dataOf<Parsed>(await parse(as, 'site:KELLER'));
    expect(atSite.conditions).toStrictEqual(and(is('siteId', 'equals', site.id)));
    const preview = await as('POST', PREVIEW, { conditions: atSite.conditions });
    expect(hostnamesOf(preview)).toStrictEqual(['South']);
  });

  test.each<[UserName | KeyName, readonly string[]]>([
    ['system', ['A', 'B', 'C', 'D']],
    ['P-all', ['A', 'B', 'D']],
    ['P-subset', ['A']],
    ['P-none', []],
    ['Q-all', ['C']],
    ['A-user', ['A']],
    ['key-P-to-A', ['A']],
    ['key-P-to-C', []],
    ['C-user', ['C']],
  ])('%s finds %j by name, and others are as unknown as missing ones', async (caller, reach) => {
    const as = service.as(caller);
    const shapeOf = async (q: string) => {
      const { status, text } = await parse(as, q);
      return [status, text.replaceAll(/ [A-Z]\W/g, ' ?')];
    };
    const unknown = await shapeOf('org:"organization Z"');
    for (const org of ['A', 'B', 'C', 'D']) {
      const found = await shapeOf(`org:"organization ${org}"`);
      if (reach.includes(org)) expect(found[0]).toBe(200);
      else expect(found).toStrictEqual(unknown);
    }
  });
});

describe('access', () => {
  const routes = [
    ['GET', `${PARSE}?q=status:online`, undefined],
    ['POST', PARSE, { q: 'status:online' }],
    ['POST', FORMAT, { conditions: and(is('status', 'equals', 'online')) }],
    ['GET', `${FILTERS}/complete?q=sta&at=3`, undefined],
  ] as const;

  test.each(routes)('%s %s needs credentials, but no permission', async (method, path, body) => {
    for (const caller of ['none', 'key-expired', 'disabled'] as const) {
      expect(refusalOf(await service.as(caller)(method, path, body))).toStrictEqual([401, 'unauthenticated']);
    }
    for (const caller of ['A-user', 'key-A', 'P-none', 'key-P-to-C', 'system'] as const) {
      expect([caller, (await service.as(caller)(method, path, body)).status]).toStrictEqual([caller, 200]);
    }
  });

  test.each([
    ['DELETE', PARSE, 'GET, HEAD, OPTIONS, POST'],
    ['GET', FORMAT, 'OPTIONS, POST'],
    ['POST', `${FILTERS}/complete`, 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, allow]);
  });

  test('an ambiguous custom field is refused as ambiguous on every route', async () => {
    const { partnerId, orgIds } = { ...(await service.inNewOrg(() => [])) };
    const other = anOrganization({ partnerId });
    const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: null } });
    await loadFleet(service.composition.backend, [
      other,
      staff,
      ...[orgIds[0], other.id].map((orgId, i) =>
        aCustomField({
          owner: { kind: 'organization', orgId: orgId ?? newId() },
          key: 'mixed',
          type: i === 0 ? 'text' : 'number',
        }),
      ),
    ]);
    const asStaff = service.asUser(staff.id);
    const q = 'custom.mixed:5';
    const answers = [
      await parse(asStaff, q),
      await asStaff('POST', '/api/v1/devices/query', { q }),
      await asStaff('POST', '/api/v1/devices/export', { q, format: 'csv' }),
      await asStaff('POST', '/api/v1/filters/explain', { q }),
    ];
    expect(answers.map((answer) => refusalOf(answer))).toStrictEqual(
      answers.map(() => [400, 'ambiguous_custom_field', ['q', 'ambiguous_custom_field']]),
    );
    expect(refusalOf(await parse(asStaff, `${q} nope:1`)).slice(0, 2)).toStrictEqual([
      400,
      'validation_failed',
    ]);
  });
});
