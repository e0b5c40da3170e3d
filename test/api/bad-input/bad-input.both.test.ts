/** Invalid names, ids and bodies are refused and change nothing (Contract: §1, §5). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Ask,
  FILTERS,
  PREVIEW,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';
import { faults, GOOD, group } from './bad-conditions.ts';

const MIB = 1_048_576;

let service: TestService;
let ask: Ask;
let target: string;

beforeAll(async () => {
  service = await startService();
  ask = service.as('A-user');
  target = `${FILTERS}/${service.tenants.filters.A.id}`;
});

afterAll(() => service.close());

/** The process survives every test. */
afterEach(async () => {
  expect((await service.composition.app.request('/healthz')).status).toBe(200);
});

describe('names, descriptions and ids', () => {
  test.each([
    ['name', 'a\u0000b'],
    ['name', '\ud800'],
    ['name', 'x\udfff'],
    ['description', 'a\u0000b'],
    ['description', '\udc00'],
  ])('%s refuses %j', async (member, text) => {
    const before = await tracesOf(service);
    const bad = faults([member, 'invalid_value']);
    expect(
      refusalOf(await ask('POST', FILTERS, { name: 'x', conditions: group(GOOD), [member]: text })),
    ).toStrictEqual(bad);
    expect(refusalOf(await ask('PATCH', target, { [member]: text }))).toStrictEqual(bad);
    expect(await tracesOf(service)).toStrictEqual(before);
  });

  test('malformed ids are 404 on every route and change nothing', async () => {
    const before = await tracesOf(service);
    for (const id of [
      'x',
      '123',
      `${newId()}x`,
      newId().replaceAll('-', ''),
      '%00',
      '%F0%9F%A6%8A',
      '__proto__',
      '..',
      "'or'1'='1",
      '%',
    ]) {
      for (const [method, suffix, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', ''],
        ['POST', '/preview'],
      ] as const) {
        const { status } = await ask(method, `${FILTERS}/${id}${suffix}`, body);
        // Clients resolve ".." before they send the path, so it reaches another route.
        expect([id, method, [404, 405].includes(status)]).toStrictEqual([id, method, true]);
      }
    }
    expect(await tracesOf(service)).toStrictEqual(before);
  });
});

describe('bodies', () => {
  const TYPES = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'text/json',
    'application/jsonp',
    '',
  ];

  test.each(TYPES)('with the media type %j are refused with 415', async (type) => {
    const before = await tracesOf(service);
    const body = JSON.stringify({ name: 'x', conditions: group(GOOD) });
    for (const [method, path] of [
      ['POST', FILTERS],
      ['POST', PREVIEW],
      ['PATCH', target],
    ] as const) {
      expect(refusalOf(await ask(method, path, body, { 'Content-Type': type }))).toStrictEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    expect(await tracesOf(service)).toStrictEqual(before);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'with the media type %s are accepted',
    async (type) => {
      expect((await ask('POST', PREVIEW, { conditions: group(GOOD) }, { 'Content-Type': type })).status).toBe(
        200,
      );
    },
  );

  test.each([
    '',
    ' ',
    '{',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    'nonsense',
    '{"name":"\u0001"}',
    '{"a":NaN}',
    '\ufeff\ufeff{}',
    '[',
    '{}{}',
  ])('%j is refused as invalid JSON', async (body) => {
    for (const [method, path] of [
      ['POST', FILTERS],
      ['POST', PREVIEW],
      ['PATCH', target],
    ] as const) {
      expect(refusalOf(await ask(method, path, body))).toStrictEqual([400, 'invalid_json']);
    }
  });

  test.each(['null', '[]', '5', '"x"', 'true'])('%s is refused because it is not an object', async (body) => {
    for (const [method, path] of [
      ['POST', FILTERS],
      ['POST', PREVIEW],
      ['PATCH', target],
    ] as const) {
      expect(refusalOf(await ask(method, path, body)).slice(0, 2)).toStrictEqual([400, 'validation_failed']);
    }
  });

  test('a body of 1 MiB is accepted, and one byte more is 413', async () => {
    const head = `{"conditions":${JSON.stringify(group(GOOD))},"padding":"`;
    const exact = `${head}${'x'.repeat(MIB - head.length - 2)}"}`;
    expect((await ask('POST', PREVIEW, exact)).status).toBe(200);
    expect(refusalOf(await ask('POST', PREVIEW, `${exact} `))).toStrictEqual([413, 'payload_too_large']);
    expect(refusalOf(await ask('POST', FILTERS, `${exact} `))).toStrictEqual([413, 'payload_too_large']);
    expect(refusalOf(await ask('PATCH', target, `${exact} `))).toStrictEqual([413, 'payload_too_large']);
  });
});
