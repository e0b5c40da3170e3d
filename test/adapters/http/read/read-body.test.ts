/** Bodies: their type, their size and their syntax (Contract: §1). */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '#adapters/http/read/read-body.ts';
import { AS_USER, aProblem, FILTER_URL, fakeHttp } from '#test/support/http/http-fakes.ts';

const unsupported = (detail: string) =>
  aProblem('unsupported_media_type', 415, 'Unsupported media type', detail);
const TOO_LARGE = aProblem(
  'payload_too_large',
  413,
  'Body too large',
  'The body is larger than 1048576 bytes (1 MiB).',
);

/** The routes that read a body. */
const READERS = [
  ['POST', '/api/v1/filters'],
  ['PATCH', FILTER_URL],
  ['POST', '/api/v1/filters/preview'],
  ['POST', '/api/v1/filters/explain'],
] as const;

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

function send(
  body: Body,
  headers: Record<string, string>,
  [method, path] = READERS[0] as readonly [string, string],
) {
  const { app, filters } = fakeHttp();
  const init: RequestInit = { method, body, headers: { ...AS_USER, ...headers }, duplex: 'half' };
  return { response: Promise.resolve(app.request(path, init)), filters };
}

/** A JSON object of so many bytes. */
function jsonOfSize(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
}

function inChunks(text: string, chunkSize: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + chunkSize));
      at += chunkSize;
    },
  });
}

describe('a media type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile="https://example.com/x"',
    'application/json;',
  ])('%s is accepted', async (type) => {
    const { response } = send('{}', { 'Content-Type': type });
    expect((await response).status).toBe(201);
  });

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset="utf-8',
    'application/json; charset',
    'json',
  ])('%s is refused', async (type) => {
    const { response, filters } = send('{}', { 'Content-Type': type });
    const detail = `Content-Type must be application/json, in UTF-8; it is ${type}.`;
    expect([(await response).status, await (await response).json()]).toStrictEqual([
      415,
      unsupported(detail),
    ]);
    expect(filters.createFilter).not.toHaveBeenCalled();
  });

  test.each(READERS)('is needed for a body of %s %s', async (method, path) => {
    const { response } = send(new TextEncoder().encode('{}'), {}, [method, path]);
    const detail = 'The request has a body but no Content-Type; send Content-Type: application/json.';
    expect([(await response).status, await (await response).json()]).toStrictEqual([
      415,
      unsupported(detail),
    ]);
  });

  test.each([
    ['gzip', 415],
    ['identity', 201],
    ['Identity', 201],
  ])('with Content-Encoding: %s gets %d', async (coding, status) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    expect((await send('{}', headers).response).status).toBe(status);
  });

  test('of hundreds of thousands of characters is refused like any other', async () => {
    const type = `application/json;${' '.repeat(300_000)}charset=x`;
    expect((await send('{}', { 'Content-Type': type }).response).status).toBe(415);
  });
});

describe('a body that is not JSON', () => {
  const bytes = (...values: number[]) => new Uint8Array(values);

  test.each<[string, Body, string]>([
    ['an empty body', '', 'The body is empty; send a JSON object.'],
    ['no body', null, 'The body is empty; send a JSON object.'],
    ['a space', ' ', 'The body is not valid JSON.'],
    ['a word', 'nonsense', 'The body is not valid JSON.'],
    ['an object cut off', '{"name":"x"', 'The body is not valid JSON (at character 11).'],
    ['a string cut off', '{"name":"secret', 'The body is not valid JSON (at character 15).'],
    ['two objects', '{}{}', 'The body is not valid JSON (at character 2).'],
    ['a trailing comma', '{"a":1,}', 'The body is not valid JSON (at character 7).'],
    ['single quotes', "{'a':1}", 'The body is not valid JSON (at character 1).'],
    ['a comment', '{/**/}', 'The body is not valid JSON (at character 1).'],
    ['NaN', '{"a":NaN}', 'The body is not valid JSON.'],
    ['a raw newline in a string', '{"a":"\n"}', 'The body is not valid JSON (at character 6).'],
    ['a lone continuation byte', bytes(0x22, 0x80, 0x22), 'The body is not valid UTF-8.'],
    ['a character cut off', bytes(0x22, 0xe2, 0x82), 'The body is not valid UTF-8.'],
    ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22), 'The body is not valid UTF-8.'],
    ['an overlong slash', bytes(0x22, 0xc0, 0xaf, 0x22), 'The body is not valid UTF-8.'],
    ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), 'The body is not valid UTF-8.'],
    ['a NUL', bytes(0x00), 'The body is not valid JSON.'],
  ])('is refused: %s', async (_, body, detail) => {
    const { response, filters } = send(body, { 'Content-Type': 'application/json' });
    expect([(await response).status, await (await response).json()]).toStrictEqual([
      400,
      aProblem('invalid_json', 400, 'Invalid JSON', detail),
    ]);
    expect(filters.createFilter).not.toHaveBeenCalled();
  });

  test('is refused where there is neither a body nor a type', async () => {
    expect((await send(null, {}).response).status).toBe(400);
  });

  test('does not affect the next body', async () => {
    const { app } = fakeHttp();
    const init = { method: 'POST', headers: { ...AS_USER, 'Content-Type': 'application/json' } };
    const broken = await app.request('/api/v1/filters', { ...init, body: bytes(0x22, 0xe2, 0x82) });
    const whole = await app.request('/api/v1/filters', { ...init, body: '{"name":"€"}' });
    expect([broken.status, whole.status]).toStrictEqual([400, 201]);
  });
});

describe('JSON that is not an object', () => {
  test.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['a boolean', 'true'],
  ])('such as %s (%s) is refused', async (kind, body) => {
    const { response, filters } = send(body, { 'Content-Type': 'application/json' });
    const message = `the body must be a JSON object, not ${kind}`;
    expect([(await response).status, await (await response).json()]).toStrictEqual([
      400,
      aProblem('validation_failed', 400, 'Validation failed', message, [
        { path: '', code: 'not_an_object', message },
      ]),
    ]);
    expect(filters.createFilter).not.toHaveBeenCalled();
  });
});

describe('JSON', () => {
  test.each<[string, Body, string]>([
    ['after a byte order mark', '\ufeff{"name":"x"}', 'x'],
    ['among white space', ' \r\n\t{ "name" : "x" }\n', 'x'],
    ['with characters of four bytes', '{"name":"😀"}', '😀'],
    ['with an escaped lone surrogate, for the domain to refuse', '{"name":"\\ud800"}', '\ud800'],
    ['with a member twice, the last of which counts', '{"name":"a","name":"b"}', 'b'],
  ])('%s is read', async (_, body, name) => {
    const { response, filters } = send(body, { 'Content-Type': 'application/json' });
    expect((await response).status).toBe(201);
    expect(filters.createFilter.mock.calls[0]?.[1].name).toBe(name);
  });
});

describe('a body of', () => {
  const declared = (text: string) => ({
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
  });
  const fits = jsonOfSize(MAX_BODY_BYTES);
  const tooLarge = jsonOfSize(MAX_BODY_BYTES + 1);

  test.each(READERS)('1 MiB is read whole by %s %s', async (...route) => {
    const { response } = send(fits, declared(fits), route);
    expect((await response).ok).toBe(true);
  });

  test.each(READERS)('a byte more is refused by %s %s', async (...route) => {
    const { response } = send(tooLarge, declared(tooLarge), route);
    expect([(await response).status, await (await response).json()]).toStrictEqual([413, TOO_LARGE]);
  });

  test('1 MiB in chunks is read whole', async () => {
    const { response } = send(inChunks(fits, 10_000), { 'Content-Type': 'application/json' });
    expect((await response).status).toBe(201);
  });

  test.each([1_000, 65_536, 2_000_000])('a byte more in chunks of %d is refused', async (chunkSize) => {
    const { response } = send(inChunks(tooLarge, chunkSize), { 'Content-Type': 'application/json' });
    expect([(await response).status, await (await response).json()]).toStrictEqual([413, TOO_LARGE]);
  });

  test('more than 1 MiB is refused, though its Content-Length says 2', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '2' };
    expect((await send(tooLarge, headers).response).status).toBe(413);
  });

  test('too great a declared length is refused before its missing type is', async () => {
    const headers = { 'Content-Length': '99999999999' };
    expect((await send(new Uint8Array([0x7b, 0x7d]), headers).response).status).toBe(413);
  });

  test.each([
    ['declared', tooLarge, { 'Content-Length': String(MAX_BODY_BYTES + 1) }],
    ['in chunks', tooLarge, {}],
  ])('more than 1 MiB, %s, is refused even where no body is needed', async (_, text, headers) => {
    const body = 'Content-Length' in headers ? text : inChunks(text, 65_536);
    const { response, filters } = send(body, headers, ['POST', `${FILTER_URL}/preview`]);
    expect([(await response).status, await (await response).json()]).toStrictEqual([413, TOO_LARGE]);
    expect(filters.previewFilter).not.toHaveBeenCalled();
  });

  test('any length that breaks off is answered with 499', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('connection reset'));
      },
    });
    const { response, filters } = send(broken, { 'Content-Type': 'application/json' });
    expect([(await response).status, await (await response).json()]).toStrictEqual([
      499,
      aProblem(
        'cancelled',
        499,
        'Client closed the request',
        'The connection closed before the whole body had arrived.',
      ),
    ]);
    expect(filters.createFilter).not.toHaveBeenCalled();
  });
});

test('a body is not waited for if its client left before it was read', async () => {
  const { app } = fakeHttp();
  const incoming = Object.assign(Readable.from(['{}']), { socket: { remoteAddress: '192.0.2.7' } });
  incoming.destroy();
  await once(incoming, 'close');
  const headers = { ...AS_USER, 'Content-Type': 'application/json', 'Content-Length': '2' };
  const response = await app.request('/api/v1/filters', { method: 'POST', headers }, { incoming });
  expect(response.status).toBe(499);
});
