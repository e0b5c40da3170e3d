/** The session of a browser, whose refresh token is in a cookie (Contract: §14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '#application/ports/log.ts';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { type Answer, FILTERS, refusalOf, tracesOf } from '#test/api/service/service.ts';

const SESSION = `${AUTH}/session`;
const DAY = 86_400;

let service: AuthService;
const logged: unknown[] = [];

beforeAll(async () => {
  const take = (...line: unknown[]) => void logged.push(line);
  service = await startAuthService({
    log: { debug: take, info: take, warn: take, error: take } satisfies Log,
  });
});

afterAll(() => service.close());

/** A session as a browser has it: the access token in memory, the cookie where no script reads it. */
interface Browser {
  readonly accessToken: string;
  /** `fsc_…` */
  readonly cookie: string;
}

type Headers = Readonly<Record<string, string>>;

function send(method: string, path: string, cookie: string | null, body?: unknown, headers: Headers = {}) {
  return service.as('none')(method, `${SESSION}${path}`, body, {
    ...(cookie !== null && { Cookie: `theme=dark; fleetsift_session=${cookie}` }),
    ...headers,
  });
}

const refresh = (cookie: string | null) => send('POST', '/refresh', cookie);

function browserOf(answer: Answer): Browser {
  if (answer.status !== 200) throw new Error(`there is no session: ${answer.status} ${answer.text}`);
  const [, cookie = ''] = /^fleetsift_session=([^;]*);/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  return { accessToken: (answer.body as Tokens).accessToken, cookie };
}

async function signIn(): Promise<Browser> {
  const { email, password } = await service.addUser();
  return browserOf(await send('POST', '', null, { email, password }));
}

async function isGood({ accessToken }: Browser): Promise<boolean> {
  return (await service.ask('GET', FILTERS, undefined, accessToken)).status === 200;
}

const isRefreshed = async (cookie: string) => (await refresh(cookie)).status === 200;

describe('POST /auth/session', () => {
  test('answers as a login does, but with the refresh token in a cookie that only these routes get', async () => {
    const user = await service.addUser();
    const { email, password } = user;
    const answer = await send('POST', '', null, { email, password });
    const { refreshToken: _inTheCookie, ...login } = await service.signIn(user);
    expect(answer.body).toStrictEqual({
      ...login,
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^fleetsift_session=fsc_[\w-]{43}; Path=\/api\/v1\/auth\/session; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(await isGood(browserOf(answer))).toBe(true);
  });

  test('asks for the code of a second factor, and takes it', async () => {
    const { user, totpSecret } = await service.addEnrolledUser();
    const { email, password } = user;
    expect(refusalOf(await send('POST', '', null, { email, password }))).toStrictEqual([401, 'mfa_required']);
    const code = service.nextCode(totpSecret);
    const { accessToken } = browserOf(await send('POST', '', null, { email, password, code }));
    expect((await service.ask('GET', `${AUTH}/me`, undefined, accessToken)).body).toMatchObject({
      mfa: { enrolled: true, verifiedAt: expect.any(String) },
    });
  });

  test.each([
    [
      'no members',
      {},
      [400, 'validation_failed', ['email', 'value_required'], ['password', 'value_required']],
    ],
    ['a wrong password', { email: 'nobody@example.com', password: 'x' }, [401, 'invalid_credentials']],
    ['no JSON', '{', [400, 'invalid_json']],
    ['more than 16 KiB', { email: 'x'.repeat(16_384) }, [413, 'payload_too_large']],
  ])('refuses a body with %s, and sets no cookie', async (_what, body, refusal) => {
    const answer = await send('POST', '', null, body);
    expect(refusalOf(answer)).toStrictEqual(refusal);
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  test('shares the limit of logins, and is audited as a login', async () => {
    const { email, password, id } = await service.addUser();
    for (let i = 0; i < 5; i++) {
      await service.ask('POST', `${AUTH}/login`, { email, password: 'wrong' });
      await send('POST', '', null, { email, password: 'wrong' });
    }
    expect(refusalOf(await send('POST', '', null, { email, password }))).toStrictEqual([429, 'rate_limited']);
    service.pass(300);
    browserOf(await send('POST', '', null, { email, password }));
    const mine = (await service.probe.auditEntries()).filter(({ resourceId }) => resourceId === id);
    expect(mine.map(({ action, result }) => [action, result])).toStrictEqual([
      ...Array(10).fill(['auth.login', 'denied']),
      ['auth.login', 'success'],
    ]);
  });
});

describe('POST /auth/session/refresh', () => {
  test('answers with the next access token as a login does, and replaces the cookie', async () => {
    const user = await service.addUser();
    const { email, password } = user;
    const signedIn = await send('POST', '', null, { email, password });
    service.pass(600);
    const answer = await refresh(browserOf(signedIn).cookie);
    expect(answer.body).toStrictEqual({ ...(signedIn.body as Tokens), accessToken: expect.any(String) });
    const next = browserOf(answer);
    expect(next.cookie).toMatch(/^fsc_[\w-]{43}$/);
    expect(next.cookie).not.toBe(browserOf(signedIn).cookie);
    expect([await isGood(next), await isRefreshed(next.cookie)]).toStrictEqual([true, true]);
  });

  test('is 401 without a cookie, and sets none', async () => {
    const answer = await refresh(null);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'unauthenticated'],
      'Bearer',
    ]);
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  test.each([
    ['an unknown cookie', `fsc_${'x'.repeat(43)}`, 'invalid_refresh_token'],
    ['a malformed cookie', 'x', 'invalid_refresh_token'],
    ['an empty cookie', '', 'unauthenticated'],
  ])('is 401 with %s, and sets none', async (_what, cookie, code) => {
    const answer = await refresh(cookie);
    expect(refusalOf(answer)).toStrictEqual([401, code]);
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  test('is 401 with several different cookies (another host may have set one), and all stay good', async () => {
    const [own, tossed] = [await signIn(), await signIn()];
    for (const first of [own, tossed]) {
      const second = first === own ? tossed : own;
      const answer = await refresh(`${first.cookie}; fleetsift_session=${second.cookie}`);
      expect([refusalOf(answer), answer.headers.has('set-cookie')]).toStrictEqual([
        [401, 'unauthenticated'],
        false,
      ]);
    }
    expect((await refresh(`${own.cookie}; fleetsift_session=${own.cookie}; fleetsift_session=`)).status).toBe(
      200,
    );
    expect(await isRefreshed(tossed.cookie)).toBe(true);
  });

  test('refuses a refresh token of POST /auth/login, and leaves its session alone', async () => {
    const { refreshToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await refresh(refreshToken))).toStrictEqual([401, 'invalid_refresh_token']);
    expect((await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).status).toBe(200);
  });

  test('alone takes the token of a cookie: POST /auth/refresh refuses it, and leaves its session alone', async () => {
    const { cookie } = await signIn();
    const elsewhere = await service.ask('POST', `${AUTH}/refresh`, { refreshToken: cookie });
    expect(refusalOf(elsewhere)).toStrictEqual([401, 'invalid_refresh_token']);
    expect(await isRefreshed(cookie)).toBe(true);
  });

  test('answers a cookie that was replaced less than 30 s ago with its replacement', async () => {
    const first = await signIn();
    const second = browserOf(await refresh(first.cookie));
    service.pass(29.999);
    const again = browserOf(await refresh(first.cookie));
    expect(again.cookie).toBe(second.cookie);
    expect(await isGood(again)).toBe(true);
    expect(await isRefreshed(again.cookie)).toBe(true);
  });

  test('answers a replaced cookie with the latest one, however often it was replaced', async () => {
    const first = await signIn();
    const second = browserOf(await refresh(first.cookie));
    const third = browserOf(await refresh(second.cookie));
    for (const cookie of [first.cookie, second.cookie, first.cookie]) {
      expect(browserOf(await refresh(cookie)).cookie).toBe(third.cookie);
    }
    service.pass(60);
    expect(await isRefreshed(third.cookie)).toBe(true);
  });

  test('ends the session for a cookie that was replaced 30 s ago, and audits it', async () => {
    const first = await signIn();
    const second = browserOf(await refresh(first.cookie));
    service.pass(30);
    expect(refusalOf(await refresh(first.cookie))).toStrictEqual([401, 'invalid_refresh_token']);
    expect([await isRefreshed(second.cookie), await isGood(second)]).toStrictEqual([false, false]);
    const last = (await service.probe.auditEntries()).findLast(({ action }) => action === 'auth.login');
    expect(last).toMatchObject({ result: 'denied', details: { reason: 'refresh_token_reused' } });
  });

  test('gives the same working cookie to several tabs that ask at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { cookie } = await signIn();
      const tabs = (await Promise.all([1, 2, 3, 4].map(() => refresh(cookie)))).map(browserOf);
      expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
      expect(await Promise.all(tabs.map(isGood))).toStrictEqual([true, true, true, true]);
      service.pass(60);
      expect(await isRefreshed(tabs[0]?.cookie ?? '')).toBe(true);
    }
  });

  test('works for a week after the last refresh, and for thirty days in all', async () => {
    const { cookie: left } = await signIn();
    let { cookie } = await signIn();
    service.pass(7 * DAY - 60);
    cookie = browserOf(await refresh(cookie)).cookie;
    service.pass(60);
    expect(await isRefreshed(left)).toBe(false);
    for (let days = 7; days < 25; days += 6) {
      service.pass(6 * DAY);
      cookie = browserOf(await refresh(cookie)).cookie;
    }
    service.pass(4 * DAY);
    const last = await refresh(cookie);
    expect(last.headers.get('set-cookie')).toContain(`Max-Age=${DAY};`);
    service.pass(DAY);
    expect(await isRefreshed(browserOf(last).cookie)).toBe(false);
  });

  test('is limited like POST /auth/refresh, and replaced cookies count too', async () => {
    const { cookie: first } = await signIn();
    const { cookie: second } = browserOf(await refresh(first));
    for (let i = 0; i < 29; i++) await refresh(i % 2 === 0 ? first : second);
    const { cookie: last } = await signIn();
    for (let i = 0; i < 120; i++) await refresh(last);
    expect(refusalOf(await refresh(last))).toStrictEqual([429, 'rate_limited']);
    service.pass(300);
    expect(refusalOf(await refresh(first))).toStrictEqual([401, 'invalid_refresh_token']);
  });

  test('gives a token with the MFA that the session has passed', async () => {
    const { user, totpSecret } = await service.addEnrolledUser();
    const { email, password } = user;
    const code = service.nextCode(totpSecret);
    const first = await send('POST', '', null, { email, password, code });
    const { mfa } = (first.body as Tokens).user;
    service.pass(120);
    expect((await refresh(browserOf(first).cookie)).body).toMatchObject({ user: { mfa } });
  });
});

describe('DELETE /auth/session', () => {
  const CLEARED = 'fleetsift_session=; Path=/api/v1/auth/session; Max-Age=0; HttpOnly; SameSite=Strict';

  test('ends the session of each cookie, if there are several', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const answer = await send('DELETE', '', `${one.cookie}; fleetsift_session=${other.cookie}`);
    expect([answer.status, answer.headers.get('set-cookie')]).toStrictEqual([204, CLEARED]);
    expect([await isRefreshed(one.cookie), await isRefreshed(other.cookie)]).toStrictEqual([false, false]);
  });

  test.each(['the cookie', 'one that it has replaced'])(
    'ends the session of %s for every tab',
    async (which) => {
      const before = await signIn();
      const browser = browserOf(await refresh(before.cookie));
      const answer = await send('DELETE', '', which === 'the cookie' ? browser.cookie : before.cookie);
      expect([answer.status, answer.text, answer.headers.get('set-cookie')]).toStrictEqual([
        204,
        '',
        CLEARED,
      ]);
      expect(await Promise.all([before, browser].map(isGood))).toStrictEqual([false, false]);
      expect([await isRefreshed(browser.cookie), await isRefreshed(before.cookie)]).toStrictEqual([
        false,
        false,
      ]);
    },
  );

  test.each([
    ['there is no cookie', null],
    ['the cookie is unknown', `fsc_${'x'.repeat(43)}`],
  ])('is 204 if %s', async (_what, cookie) => {
    const answer = await send('DELETE', '', cookie);
    expect([answer.status, answer.headers.get('set-cookie')]).toStrictEqual([204, CLEARED]);
  });

  test('ends no session of POST /auth/login', async () => {
    const { refreshToken } = await service.signIn(await service.addUser());
    expect((await send('DELETE', '', refreshToken)).status).toBe(204);
    expect((await service.ask('POST', `${AUTH}/refresh`, { refreshToken })).status).toBe(200);
  });
});

describe('cross-site protection', () => {
  const ROUTES: readonly [string, string][] = [
    ['POST', ''],
    ['POST', '/refresh'],
    ['DELETE', ''],
  ];

  test.each(ROUTES)(
    'refuses %s /auth/session%s by either header, and changes nothing',
    async (method, path) => {
      const user = await service.addUser();
      const { email, password } = user;
      const browser = browserOf(await send('POST', '', null, { email, password }));
      const before = await tracesOf(service);
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'http://localhost', 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        const body = path === '' && method === 'POST' ? { email, password } : undefined;
        const answer = await send(method, path, browser.cookie, body, headers);
        expect(refusalOf(answer)).toStrictEqual([403, 'forbidden']);
        expect(answer.headers.has('set-cookie')).toBe(false);
      }
      expect(await tracesOf(service)).toStrictEqual(before);
      expect(await isGood(browser)).toBe(true);
      expect(browserOf(await refresh(browser.cookie)).cookie).not.toBe(browser.cookie);
    },
  );

  test.each<[string, Headers]>([
    ['its own pages', { Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
  ])('accepts requests from %s', async (_what, headers) => {
    const { email, password } = await service.addUser();
    const { cookie } = browserOf(await send('POST', '', null, { email, password }, headers));
    const next = browserOf(await send('POST', '/refresh', cookie, undefined, headers));
    expect((await send('DELETE', '', next.cookie, undefined, headers)).status).toBe(204);
  });
});

test('neither the audit log nor the log holds a token', async () => {
  const first = await signIn();
  const second = browserOf(await refresh(first.cookie));
  browserOf(await refresh(first.cookie));
  service.pass(30);
  await refresh(first.cookie);
  await send('DELETE', '', second.cookie);
  const written = JSON.stringify([await service.probe.auditEntries(), logged]);
  expect(written).toContain('refresh_token_reused');
  expect(logged.length).toBeGreaterThan(5);
  for (const secret of [first, second].flatMap(({ accessToken, cookie }) => [accessToken, cookie])) {
    expect(written).not.toContain(secret);
  }
});
