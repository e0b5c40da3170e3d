/** ETag, If-Match and If-None-Match (Contract: §5; RFC 9110, section 13). */
import { describe, expect, test } from 'vitest';
import { isNotModified, parseIfMatch } from '#adapters/http/read/entity-tag.ts';
import type { Precondition } from '#application/precondition.ts';
import { err, ok } from '#domain/result.ts';
import { AS_USER, aProblem, FILTER, FILTER_URL, fakeHttp, withJson } from '#test/support/http/http-fakes.ts';

function versions(...numbers: number[]): Precondition {
  return { kind: 'version', versions: new Set(numbers) };
}

describe('If-Match', () => {
  test.each<[string, Precondition]>([
    ['*', { kind: 'any' }],
    [' * ', { kind: 'any' }],
    ['"3"', versions(3)],
    ['"3", "4"', versions(3, 4)],
    ['"3","4" ,"3"', versions(3, 4)],
    [', "3",,', versions(3)],
    ['"123456789012345"', versions(123_456_789_012_345)],
    ['W/"3"', versions()],
    ['W/"3", "4"', versions(4)],
    ['"abc"', versions()],
    ['"abc", "3"', versions(3)],
    ['"03"', versions()],
    ['"0"', versions()],
    ['"3.0"', versions()],
    ['"-3"', versions()],
    ['"99999999999999999999"', versions()],
    ['""', versions()],
    ['', versions()],
    [',', versions()],
    ['3', versions()],
    ["'3'", versions()],
    ['"3', versions()],
    ['3"', versions()],
    ['w/"3"', versions()],
    ['"3" "4"', versions()],
    ['"3", 4', versions()],
    ['*, "3"', versions()],
    ['"*"', versions()],
    ['"a b"', versions()],
  ])('%j is parsed', (header, precondition) => {
    expect(parseIfMatch(header)).toStrictEqual(precondition);
  });

  test('demands nothing if it is absent', () => {
    expect(parseIfMatch(null)).toStrictEqual({ kind: 'none' });
  });

  test.each<[string, Precondition]>([
    ['"3"', versions(3)],
    ['*', { kind: 'any' }],
    ['garbage', versions()],
  ])('%s is passed on by PATCH and DELETE', async (header, precondition) => {
    const { app, filters } = fakeHttp();
    await app.request(FILTER_URL, withJson('PATCH', {}, { 'If-Match': header }));
    await app.request(FILTER_URL, { method: 'DELETE', headers: { ...AS_USER, 'If-Match': header } });
    expect(filters.updateFilter.mock.calls[0]?.[3]).toStrictEqual(precondition);
    expect(filters.deleteFilter.mock.calls[0]?.[2]).toStrictEqual(precondition);
  });
});

describe('an If-Match that failed', () => {
  const CHANGED = 'The filter has changed since you read it; read it again and repeat your change.';
  const FORM = 'If-Match takes an ETag as it was answered, in double quotes and without W/: ';

  test.each([
    ['"2"', CHANGED],
    ['"1", W/"2"', CHANGED],
    ['"abc"', CHANGED],
    ['3', `${FORM}here "3".`],
    ["'3'", `${FORM}here "3".`],
    ['W/"3"', `${FORM}here "3".`],
    ['w/"3"', `${FORM}here "3".`],
    ['garbage', `${FORM}such as "3".`],
    ['"3" "4"', `${FORM}such as "3".`],
    ['', `${FORM}such as "3".`],
  ])('with %j is explained by PATCH and DELETE', async (header, detail) => {
    const { app, filters } = fakeHttp();
    const refused = err({ code: 'precondition_failed', detail: CHANGED } as const);
    filters.updateFilter.mockResolvedValue(refused);
    filters.deleteFilter.mockResolvedValue(refused);
    const requests = [
      withJson('PATCH', {}, { 'If-Match': header }),
      { method: 'DELETE', headers: { ...AS_USER, 'If-Match': header } },
    ];
    for (const request of requests) {
      const response = await app.request(FILTER_URL, request);
      expect(await response.json()).toStrictEqual(
        aProblem('precondition_failed', 412, 'Precondition failed', detail),
      );
    }
  });
});

describe('If-None-Match', () => {
  test.each([
    ['*', true],
    ['"3"', true],
    ['W/"3"', true],
    ['"1", W/"2" ,"3"', true],
    ['"4"', false],
    ['"33"', false],
    ['"x"', false],
    ['3', false],
    ['', false],
    ['"3', false],
    ['*, "3"', false],
    ['"W/"3""', false],
  ])('%j matches version 3: %j', (header, expected) => {
    expect(isNotModified(header, { version: 3 })).toBe(expected);
  });

  test('with the current version gets 304 without a body, and the ETag', async () => {
    const { app } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers: { ...AS_USER, 'If-None-Match': '"3"' } });
    expect([response.status, await response.text(), response.headers.get('ETag')]).toStrictEqual([
      304,
      '',
      '"3"',
    ]);
    expect(response.headers.get('Content-Type')).toBeNull();
  });

  test('with another version gets the filter', async () => {
    const { app } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers: { ...AS_USER, 'If-None-Match': '"2"' } });
    expect([response.status, response.headers.get('ETag')]).toStrictEqual([200, '"3"']);
  });
});

test('an ETag changes with the version', async () => {
  const { app, filters } = fakeHttp();
  filters.readFilter.mockResolvedValue(ok({ ...FILTER, version: 4 }));
  const response = await app.request(FILTER_URL, { headers: AS_USER });
  expect(response.headers.get('ETag')).toBe('"4"');
});
