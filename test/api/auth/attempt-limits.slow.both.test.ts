/** How often passwords and codes can be tried, and what is recorded (Contract: §2, §7, §8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { PasswordQueueFullError } from '#application/ports/auth/password-verifier.ts';
import {
  AUTH,
  type AuthService,
  type EnrolledUser,
  startAuthService,
} from '#test/api/service/auth-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const LOGIN = `${AUTH}/login`;

const login = (body: object) => service.ask('POST', LOGIN, body);

/** The outcome of an attempt: its code or, if it came too often, the seconds to wait. */
const outcomeOf = (answer: Answer) =>
  answer.status === 200 ? 'ok' : (answer.headers.get('retry-after') ?? refusalOf(answer)[1]);

const times = async <T>(count: number, attempt: (i: number) => Promise<T>) => {
  const outcomes: T[] = [];
  for (let i = 0; i < count; i++) outcomes.push(await attempt(i));
  return outcomes;
};

/** How many refusals for rate are audited during the work. */
const recordedDuring = async (work: () => Promise<unknown>) => {
  const entries = async () =>
    (await service.probe.auditEntries()).filter(({ details }) => details.reason === 'rate_limited').length;
  const before = await entries();
  await work();
  return (await entries()) - before;
};

describe('the window of a limit', () => {
  test('slides: no five minutes hold more than ten attempts to sign in', async () => {
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

  test('slides for wrong codes, too', async () => {
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

describe('the audit log', () => {
  test('has the first refusal of a flood of sign-ins, and the next after a try was let through', async () => {
    const attempt = () => login({ email: 'flood@example.com', password: 'wrong' });
    expect(await recordedDuring(() => times(40, attempt))).toBe(1);
    service.pass(300);
    expect(await recordedDuring(() => times(10, attempt))).toBe(0);
    expect(await recordedDuring(() => times(20, attempt))).toBe(1);
  });

  test('has one refusal of a flood that comes all at once', async () => {
    const attempt = () => login({ email: 'burst@example.com', password: 'wrong' });
    expect(await recordedDuring(() => Promise.all(Array.from({ length: 30 }, attempt)))).toBe(1);
  });

  test('has one refusal for each email that is tried too often', async () => {
    const attempt = (email: string) => times(13, () => login({ email, password: 'wrong' }));
    const both = () => Promise.all([attempt('one@example.com'), attempt('two@example.com')]);
    expect(await recordedDuring(both)).toBe(2);
  });

  test('has one refusal of a flood of codes', async () => {
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

describe('the limit of sign-ins by address', () => {
  const attempt = async (ip: string, email = `${newId()}@example.com`) =>
    outcomeOf(await service.askFrom(ip, LOGIN, { email, password: 'wrong' }));

  test('goes by the /64 of an IPv6 address, which is one host', async () => {
    const outcomes = await times(11, (i) => attempt(`2001:db8:1:2:${i.toString(16)}::${i + 1}`));
    expect(outcomes).toStrictEqual([...Array(10).fill('invalid_credentials'), '300']);
    expect(await attempt('2001:db8:1:3::1')).toBe('invalid_credentials');
  });

  test('goes by the canonical form, however the address is written', async () => {
    const forms = ['198.51.100.9', '::ffff:198.51.100.9', '::ffff:c633:6409', '0:0::ffff:c633:6409'];
    const outcomes = await times(11, (i) => attempt(forms[i % forms.length] ?? ''));
    expect(outcomes).toStrictEqual([...Array(10).fill('invalid_credentials'), '300']);
    expect(await attempt('198.51.100.10')).toBe('invalid_credentials');
  });

  test('does not count what another limit has refused', async () => {
    const email = `${newId()}@example.com`;
    await times(10, (i) => attempt(`203.0.113.${i}`, email));
    expect(await times(15, () => attempt('203.0.113.99', email))).toStrictEqual(Array(15).fill('300'));
    expect(await attempt('203.0.113.99')).toBe('invalid_credentials');
  });
});

describe('a stranger who tries somebody’s email', () => {
  const DAY = 86_400;
  const from = async (ip: string, { email, password }: { email: string; password: string }) =>
    outcomeOf(await service.askFrom(ip, LOGIN, { email, password }));
  /** Tries the email from twelve networks, until it is refused. */
  const lockOut = ({ email }: { email: string }) =>
    times(12, (i) => from(`203.0.${i}.1`, { email, password: 'wrong' }));

  test('does not lock them out of a network from which they have signed in', async () => {
    const user = await service.addUser();
    expect(await from('192.0.2.10', user)).toBe('ok');
    expect((await lockOut(user)).slice(-2)).toStrictEqual(['300', '300']);
    // Another address of the network, and one of another network.
    expect(await from('192.0.2.99', user)).toBe('ok');
    expect(await from('192.0.3.10', user)).toBe('300');
  });

  test('does not lock them out there by trying an email that names the network', async () => {
    const user = await service.addUser();
    expect(await from('192.0.2.10', user)).toBe('ok');
    for (const network of ['192.0.2.0/24', '192.0.2.10']) {
      await lockOut({ email: `${user.email} from ${network}` });
      await lockOut({ email: `["${user.email}","${network}"]` });
    }
    expect(await from('192.0.2.99', user)).toBe('ok');
  });

  test('cannot tell from such an email where they have signed in', async () => {
    const user = await service.addUser();
    expect(await from('192.0.4.10', user)).toBe('ok');
    const naming = (network: string) => lockOut({ email: `${user.email} from ${network}` });
    expect(await naming('192.0.4.0/24')).toStrictEqual(await naming('192.0.5.0/24'));
  });

  test('has nine tries in the network of their first sign-in, which counts as one', async () => {
    const user = await service.addUser();
    expect(await from('198.18.3.1', user)).toBe('ok');
    const wrong = { ...user, password: 'wrong' };
    const outcomes = await times(10, (i) => from(`198.18.3.${i + 2}`, wrong));
    expect(outcomes).toStrictEqual([...Array(9).fill('invalid_credentials'), '300']);
  });

  test('does not lock them out of their /64 either', async () => {
    const user = await service.addUser();
    expect(await from('2001:db8:7:7::1', user)).toBe('ok');
    await lockOut(user);
    expect(await from('2001:db8:7:7:ffff::2', user)).toBe('ok');
  });

  test('has ten tries in a network from which they have signed in', async () => {
    const user = await service.addUser();
    expect(await from('198.18.1.1', user)).toBe('ok');
    service.pass(300);
    const wrong = { ...user, password: 'wrong' };
    const outcomes = await times(11, (i) => from(`198.18.1.${i + 2}`, wrong));
    expect(outcomes).toStrictEqual([...Array(10).fill('invalid_credentials'), '300']);
    // Other networks are counted separately.
    expect(await from('198.18.2.1', user)).toBe('ok');
  });

  test('locks them out of a network from which they have not signed in for 90 days', async () => {
    const user = await service.addUser();
    expect(await from('198.18.5.1', user)).toBe('ok');
    service.pass(90 * DAY);
    await lockOut(user);
    expect(await from('198.18.5.1', user)).toBe('ok');
    service.pass(90 * DAY + 1);
    await lockOut(user);
    expect(await from('198.18.5.1', user)).toBe('300');
  });

  test('is refused in the same way whether there is an account or not, even one that is in use', async () => {
    const user = await service.addUser();
    const signIns = await times(3, () => from('198.18.6.1', user));
    expect(signIns).toStrictEqual(['ok', 'ok', 'ok']);
    const known = await lockOut(user);
    service.pass(300);
    expect(known).toStrictEqual(await lockOut({ email: `${newId()}@example.com` }));
  });
});

describe('a flood of sign-ins from one network', () => {
  test('is refused and delays itself, while somebody elsewhere signs in', async () => {
    // Hashing has to take its real time here.
    const real = await startAuthService(makeArgon2PasswordHasher({ maxConcurrent: 1 }));
    try {
      const { email, password } = await real.addUser();
      const finished: string[] = [];
      const signIn = async (who: string, ip: string, body: object) => {
        const outcome = outcomeOf(await real.askFrom(ip, LOGIN, body));
        finished.push(who);
        return outcome;
      };
      const flood = Array.from({ length: 220 }, (_, i) =>
        signIn('flood', `198.19.7.${i}`, { email: `${newId()}@example.com`, password: 'wrong' }),
      );
      const somebody = signIn('somebody', '198.19.8.1', { email, password });
      const outcomes = await Promise.all(flood);
      expect(await somebody).toBe('ok');
      expect(new Set(outcomes)).toStrictEqual(new Set(['invalid_credentials', '2']));
      // The sign-in did not wait for all that were sent before it.
      expect(finished.slice(finished.indexOf('somebody')).length).toBeGreaterThan(40);
    } finally {
      await real.close();
    }
  });

  test('is neither counted nor audited while the queue of passwords is full', async () => {
    const body = { email: `${newId()}@example.com`, password: 'wrong' };
    let isBusy = true;
    const busy = await startAuthService({
      verifyPassword: async () => {
        if (isBusy) throw new PasswordQueueFullError();
        return { matches: false, isOutdated: false };
      },
    });
    try {
      const attempt = async () => outcomeOf(await busy.askFrom('198.19.9.1', LOGIN, body));
      const before = (await busy.probe.auditEntries()).length;
      expect(await times(15, attempt)).toStrictEqual(Array(15).fill('5'));
      expect(await busy.probe.auditEntries()).toHaveLength(before);
      isBusy = false;
      expect(await attempt()).toBe('invalid_credentials');
    } finally {
      await busy.close();
    }
  });
});

describe('twenty wrong codes in a day', () => {
  const attempt = async (ip: string, { user }: EnrolledUser, code: string) => {
    const { email, password } = user;
    return outcomeOf(await service.askFrom(ip, LOGIN, { email, password, code }));
  };
  /** Tries five wrong codes every five minutes, from a network that the person does not use. */
  const guess = async (enrolled: EnrolledUser, rounds: number, site = '198.18.20') => {
    const outcomes: string[] = [];
    for (let round = 0; round < rounds; round++) {
      outcomes.push(...(await times(5, () => attempt(`${site}.${round + 1}`, enrolled, 'no code'))));
      service.pass(300);
    }
    return outcomes;
  };
  const mailsTo = async ({ user }: EnrolledUser) =>
    (await service.composition.backend.mailOutbox.list(null, 1_000)).filter(
      ({ userId }) => userId === user.id,
    );

  test('lock out other networks until the day is over, while the person signs in from their own', async () => {
    const enrolled = await service.addEnrolledUser();
    const home = '198.18.30.1';
    expect(await attempt(home, enrolled, service.nextCode(enrolled.totpSecret))).toBe('ok');
    const start = service.now();
    expect(await guess(enrolled, 4)).toStrictEqual(Array(20).fill('invalid_mfa_code'));
    const recorded = await recordedDuring(async () => {
      const waits = await times(4, () => attempt('198.18.40.1', enrolled, 'no code'));
      expect(new Set(waits)).toStrictEqual(new Set([String(86_400 - (service.now() - start) / 1_000)]));
    });
    expect(recorded).toBe(1);
    // A right code is refused elsewhere, and good at home.
    expect(await attempt('198.18.40.2', enrolled, service.nextCode(enrolled.totpSecret))).toMatch(/^\d+$/);
    expect(await attempt(home, enrolled, 'no code')).toBe('invalid_mfa_code');
    expect(await attempt(home, enrolled, service.nextCode(enrolled.totpSecret))).toBe('ok');
    // A right code at home makes no room for tries from elsewhere.
    expect(await attempt('198.18.40.2', enrolled, 'no code')).toMatch(/^\d+$/);
    service.pass(86_400);
    expect(await attempt('198.18.40.3', enrolled, service.nextCode(enrolled.totpSecret))).toBe('ok');
  });

  test('lock out a network, too, from which the person has not signed in for ninety days', async () => {
    const home = '198.18.32.1';
    const signIn = async (days: number) => {
      const enrolled = await service.addEnrolledUser();
      expect(await attempt(home, enrolled, service.nextCode(enrolled.totpSecret))).toBe('ok');
      service.pass(days * 86_400 - 4 * 300);
      await guess(enrolled, 4, '198.18.33');
      return attempt(home, enrolled, service.nextCode(enrolled.totpSecret));
    };
    expect(await signIn(89)).toBe('ok');
    expect(await signIn(91)).toMatch(/^\d+$/);
  });

  test('send the person one mail a day', async () => {
    const enrolled = await service.addEnrolledUser();
    await guess(enrolled, 3, '198.18.50');
    await times(4, () => attempt('198.18.51.1', enrolled, 'no code'));
    expect(await mailsTo(enrolled)).toStrictEqual([]);
    await attempt('198.18.51.2', enrolled, 'no code');
    expect(await mailsTo(enrolled)).toMatchObject([{ kind: 'codes-guessed', status: 'queued' }]);
    service.pass(300);
    await guess(enrolled, 3, '198.18.52');
    service.pass(86_400 - 4 * 900);
    await guess(enrolled, 1, '198.18.53');
    expect(await mailsTo(enrolled)).toHaveLength(1);
    service.pass(86_400);
    await guess(enrolled, 4, '198.18.54');
    expect(await mailsTo(enrolled)).toHaveLength(2);
  });

  test('include wrong codes of a step-up, and no right ones', async () => {
    const enrolled = await service.addEnrolledUser();
    let { accessToken } = await service.signInWithMfa(enrolled);
    const challenge = (code: string) => service.ask('POST', `${AUTH}/mfa/challenge`, { code }, accessToken);
    for (let round = 0; round < 4; round++) {
      expect((await challenge(service.nextCode(enrolled.totpSecret))).status).toBe(200);
      await times(5, () => challenge('no code'));
      service.pass(300);
      // After the fourth round, the limit of the day is reached.
      if (round < 3) ({ accessToken } = await service.signInWithMfa(enrolled));
    }
    expect(refusalOf(await challenge(service.nextCode(enrolled.totpSecret)))).toStrictEqual([
      429,
      'rate_limited',
    ]);
    expect(await mailsTo(enrolled)).toMatchObject([{ kind: 'codes-guessed' }]);
  });
});
