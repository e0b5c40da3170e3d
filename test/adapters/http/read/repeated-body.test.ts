/** Bodies of previews, which are kept: the same for the same tenant, and never changed. */
import { expect, test } from 'vitest';
import { isConstant } from '#application/constant.ts';
import type { Caller } from '#domain/access/caller.ts';
import { aCaller, newId, ONLINE_CONDITIONS, orgScope } from '#test/support/builders.ts';
import { AS_USER, type FakeHttp, fakeHttp, TOKEN, USER, withJson } from '#test/support/http/http-fakes.ts';

const BODY = { conditions: ONLINE_CONDITIONS, limit: 5 };

async function previewed({ app, filters }: FakeHttp, ...sent: readonly [body: unknown, token?: string][]) {
  for (const [body, token = TOKEN] of sent) {
    const headers = { ...AS_USER, Authorization: `Bearer ${token}` };
    const response = await app.request('/api/v1/filters/preview', withJson('POST', body, headers));
    expect(response.status).toBe(200);
  }
  return filters.previewConditions.mock.calls.map(([, { conditions }]) => conditions);
}

test('that are equal to the byte give the same conditions, which are constant', async () => {
  const [first, again, other] = await previewed(fakeHttp(), [BODY], [BODY], [{ ...BODY, limit: 6 }]);
  expect(first).toStrictEqual(ONLINE_CONDITIONS);
  expect(isConstant(first)).toBe(true);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('of another tenant are read anew', async () => {
  const http = fakeHttp();
  const stranger: Caller = aCaller({ scope: orgScope(newId()) });
  http.verifyAccessToken.mockImplementation(async (token) => (token === TOKEN ? USER : stranger));
  const [own, strange, again] = await previewed(http, [BODY], [BODY, 'other.good.token'], [BODY]);
  expect(strange).toStrictEqual(own);
  expect(strange).not.toBe(own);
  expect(again).toBe(own);
});

test('that are long are read anew each time', async () => {
  const long = { ...BODY, comment: 'x'.repeat(4_096) };
  const [first, again] = await previewed(fakeHttp(), [long], [long]);
  expect(again).toStrictEqual(first);
  expect(again).not.toBe(first);
});

test('that are no JSON are refused each time', async () => {
  const { app } = fakeHttp();
  for (let i = 0; i < 2; i++) {
    const headers = { ...AS_USER, 'Content-Type': 'application/json' };
    const response = await app.request('/api/v1/filters/preview', { method: 'POST', headers, body: '{' });
    expect(response.status).toBe(400);
  }
});
