/** Credentials: how they are presented, and how bad ones are answered (Contract: §2). */
import { describe, expect, test } from 'vitest';
import { SOME_INSTANT } from '#test/support/builders.ts';
import {
  API_KEY,
  API_KEY_ID,
  aProblem,
  FILTER_URL,
  fakeHttp,
  REQUEST_ID,
  TOKEN,
  USER,
} from '#test/support/http/http-fakes.ts';

const MISSING = aProblem(
  'unauthenticated',
  401,
  'Not authenticated',
  'Send an access token as "Authorization: Bearer <token>", or an API key as "X-API-Key: <key>".',
);
const BAD_TOKEN = aProblem(
  'unauthenticated',
  401,
  'Not authenticated',
  'The access token is invalid, has expired or has been revoked.',
);
const BAD_KEY = aProblem(
  'unauthenticated',
  401,
  'Not authenticated',
  'The API key is unknown, has expired or has been revoked.',
);
const TWO = aProblem(
  'ambiguous_credentials',
  400,
  'More than one credential',
  'Send either an access token or an API key, not both.',
);

/** Headers, some of which come more than once. */
type HeaderList = [string, string][];

describe('a good credential', () => {
  test.each<[string, HeaderList]>([
    ['a token', [['Authorization', `Bearer ${TOKEN}`]]],
    ['a token, the scheme in small letters', [['Authorization', `bearer ${TOKEN}`]]],
    ['a token, the scheme in capitals', [['Authorization', `BEARER ${TOKEN}`]]],
    ['a token after two spaces', [['authorization', `Bearer  ${TOKEN}`]]],
  ])('presented as %s is let in as its user', async (_, headers) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers });
    expect(response.status).toBe(200);
    expect(filters.readFilter.mock.calls[0]?.[0]).toStrictEqual({
      caller: USER,
      requestId: REQUEST_ID,
      ip: null,
      signal: expect.any(AbortSignal),
      endTurn: expect.any(Function),
      reachNow: expect.any(Function),
    });
  });

  test('is good while its request lasts: a later check is made as of the time the request began', async () => {
    const { app, filters, verifyAccessToken } = fakeHttp();
    await app.request(FILTER_URL, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const reach = await filters.readFilter.mock.calls[0]?.[0].reachNow?.();
    expect(reach).toStrictEqual(USER.scope);
    expect(verifyAccessToken.mock.lastCall).toStrictEqual([TOKEN, SOME_INSTANT]);
  });

  test('presented as an API key is let in as that key', async () => {
    const { app, filters, verifyAccessToken } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers: { 'x-api-key': API_KEY } });
    expect(response.status).toBe(200);
    expect(filters.readFilter.mock.calls[0]?.[0].caller).toStrictEqual({
      ...USER,
      credential: { kind: 'api-key', apiKeyId: API_KEY_ID },
    });
    expect(verifyAccessToken).not.toHaveBeenCalled();
  });
});

describe('a request', () => {
  test.each<[string, HeaderList, object, string]>([
    ['no credential', [], MISSING, 'Bearer'],
    ['another scheme', [['Authorization', 'Basic dXNlcjpwYXNz']], MISSING, 'Bearer'],
    ['a bare token', [['Authorization', TOKEN]], MISSING, 'Bearer'],
    ['a scheme without a token', [['Authorization', 'Bearer']], MISSING, 'Bearer'],
    ['a scheme and spaces', [['Authorization', 'Bearer   ']], MISSING, 'Bearer'],
    ['an empty header', [['Authorization', '']], MISSING, 'Bearer'],
    ['a token in two parts', [['Authorization', 'Bearer a b']], MISSING, 'Bearer'],
    [
      'two tokens',
      [
        ['Authorization', `Bearer ${TOKEN}`],
        ['Authorization', `Bearer ${TOKEN}`],
      ],
      MISSING,
      'Bearer',
    ],
    ['an unknown token', [['Authorization', 'Bearer x.y.z']], BAD_TOKEN, 'Bearer error="invalid_token"'],
    [
      'an API key as token',
      [['Authorization', `Bearer ${API_KEY}`]],
      BAD_TOKEN,
      'Bearer error="invalid_token"',
    ],
    ['an unknown key', [['X-API-Key', `fsk_${'u'.repeat(43)}`]], BAD_KEY, 'Bearer'],
    ['an empty key', [['X-API-Key', '']], BAD_KEY, 'Bearer'],
    ['a key that is too short', [['X-API-Key', 'fsk_abc']], BAD_KEY, 'Bearer'],
    ['a key that is too long', [['X-API-Key', `${API_KEY}k`]], BAD_KEY, 'Bearer'],
    ['a token as key', [['X-API-Key', TOKEN]], BAD_KEY, 'Bearer'],
    [
      'two keys',
      [
        ['X-API-Key', API_KEY],
        ['X-API-Key', API_KEY],
      ],
      BAD_KEY,
      'Bearer',
    ],
  ])('with %s is refused', async (_, headers, problem, challenge) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers });
    expect([response.status, await response.json()]).toStrictEqual([401, problem]);
    expect(response.headers.get('WWW-Authenticate')).toBe(challenge);
    expect(filters.readFilter).not.toHaveBeenCalled();
  });

  test.each<[string, HeaderList]>([
    [
      'both good',
      [
        ['Authorization', `Bearer ${TOKEN}`],
        ['X-API-Key', API_KEY],
      ],
    ],
    [
      'both bad',
      [
        ['Authorization', 'Bearer x'],
        ['X-API-Key', 'y'],
      ],
    ],
    [
      'the key empty',
      [
        ['Authorization', `Bearer ${TOKEN}`],
        ['X-API-Key', ''],
      ],
    ],
    [
      'the token of another scheme',
      [
        ['Authorization', 'Basic eA=='],
        ['X-API-Key', API_KEY],
      ],
    ],
  ])('with two credentials is refused: %s', async (_, headers) => {
    const { app, verifyAccessToken, verifyApiKey } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers });
    expect([response.status, await response.json()]).toStrictEqual([400, TWO]);
    expect(response.headers.get('WWW-Authenticate')).toBeNull();
    expect(verifyAccessToken).not.toHaveBeenCalled();
    expect(verifyApiKey).not.toHaveBeenCalled();
  });

  test('with a key in the query is refused', async () => {
    const { app } = fakeHttp();
    const response = await app.request(`${FILTER_URL}?X-API-Key=${API_KEY}&access_token=${TOKEN}`);
    expect(response.status).toBe(401);
  });

  test('with a malformed key is refused without looking it up', async () => {
    const { app, verifyApiKey } = fakeHttp();
    await app.request(FILTER_URL, { headers: { 'X-API-Key': 'x'.repeat(10_000) } });
    expect(verifyApiKey).not.toHaveBeenCalled();
  });
});

describe('every route of the API asks for a credential before it looks at anything else', () => {
  test.each<[string, string, string | null]>([
    ['GET', '/api/v1/filters?search=a&search=b', null],
    ['POST', '/api/v1/filters', '{'],
    ['GET', '/api/v1/filters/fields', null],
    ['POST', '/api/v1/filters/preview', '{'],
    ['GET', '/api/v1/filters/not-an-id', null],
    ['PATCH', '/api/v1/filters/not-an-id', '{'],
    ['DELETE', '/api/v1/filters/not-an-id', null],
    ['POST', '/api/v1/filters/not-an-id/preview?limit=0', null],
  ])('%s %s', async (method, path, body) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(path, { method, body, headers: { 'Content-Type': 'text/plain' } });
    expect([response.status, await response.json()]).toStrictEqual([401, MISSING]);
    for (const useCase of Object.values(filters)) expect(useCase).not.toHaveBeenCalled();
  });
});
