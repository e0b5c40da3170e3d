/** How often passwords and codes can be tried, and what of it goes on record (Contract: §2, §7, §8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const LOGIN = `${AUTH}/login`;

const login = (body: object) => service.ask('POST', LOGIN, body);

/** The outcome of each: its code or, of those that came too often, the seconds to wait. */
const outcomeOf = (answer: Answer) =>
  answer.status === 200 ? 'ok' : (answer.headers.get('retry-after') ?? refusalOf(answer)[1]);

const times = async <T>(count: number, attempt: (i: number) => Promise<T>) => {
  const outcomes: T[] = [];
  for (let i = 0; i < count; i++) outcomes.push(await attempt(i));
  return outcomes;
};

/** How many refusals for rate have gone on record during the work. */
const recordedDuring = async (work: () => Promise<unknown>) => {
  const entries = async () =>
    (await service.probe.auditEntries()).filter(({ details }) => details.reason === 'rate_limited').length;
  const before = await entries();
  await work();
  return (await entries()) - before;
};

describe('the window of a limit', () => {
  test('has no seam: never more than ten attempts to sign in within any five minutes', async () => {
    const email = 'seam@example.com';
    const attempt = async () => outcomeOf(await login({ email, password: 'wrong' }));
    expect(await attempt()).toBe('invalid_credentials');
    service.pass(298);
    expect(await times(9, attempt)).toStrictEqual(Array(9).fill('invalid_credentials'));
    service.pass(2);
    // The first has left the window, and made room for one.
    expect(await times(3, attempt)).toStrictEqual(['invalid_credentials', '298', '298']);
    service.pass(297);
    expect(await attempt()).toBe('1');
    service.pass(1);
    expect(await attempt()).toBe('invalid_credentials');
  });

  test('has no seam for wrong codes either', async () => {
    const { user } = await service.addEnrolledUser();
    const { email, password } = user;
    const attempt = async () => outcomeOf(await login({ email, password, code: 'no code' }));
    expect(await attempt()).toBe('invalid_mfa_code');
    service.pass(299);
    expect(await times(4, attempt)).toStrictEqual(Array(4).fill('invalid_mfa_code'));
    service.pass(1);
    expect(await times(2, attempt)).toStrictEqual(['invalid_mfa_code', '299']);
  });
});

describe('on record', () => {
  test('is the first of a flood of sign-ins, and the next once a try has been let through', async () => {
    const attempt = () => login({ email: 'flood@example.com', password: 'wrong' });
    expect(await recordedDuring(() => times(40, attempt))).toBe(1);
    service.pass(300);
    expect(await recordedDuring(() => times(10, attempt))).toBe(0);
    expect(await recordedDuring(() => times(20, attempt))).toBe(1);
  });

  test('is one of a flood that comes all at once', async () => {
    const attempt = () => login({ email: 'burst@example.com', password: 'wrong' });
    expect(await recordedDuring(() => Promise.all(Array.from({ length: 30 }, attempt)))).toBe(1);
  });

  test('is one for each email that an address tries too often', async () => {
    const attempt = (email: string) => times(13, () => login({ email, password: 'wrong' }));
    const both = () => Promise.all([attempt('one@example.com'), attempt('two@example.com')]);
    expect(await recordedDuring(both)).toBe(2);
  });

  test('is one of a flood of codes', async () => {
    const enrolled = await service.addEnrolledUser();
    const { accessToken } = await service.signInWithMfa(enrolled);
    const challenge = () => service.ask('POST', `${AUTH}/mfa/challenge`, { code: 'no code' }, accessToken);
    const codes: (string | undefined)[] = [];
    const flood = async () =>
      codes.push(...(await times(20, async () => String(refusalOf(await challenge())[1]))));
    expect(await recordedDuring(flood)).toBe(1);
    expect(codes).toStrictEqual([...Array(5).fill('invalid_mfa_code'), ...Array(15).fill('rate_limited')]);
  });
});
