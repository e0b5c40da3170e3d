import * as argon2 from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import { PasswordQueueFullError } from '#application/ports/auth/password-verifier.ts';

const hasher = makeArgon2PasswordHasher({ maxConcurrent: 2 });
const { hashPassword } = hasher;
const SOMEBODY = { site: '192.0.2.0/24', client: '192.0.2.1' };
const verifyPassword = (storedHash: string | null, password: string) =>
  hasher.verifyPassword(storedHash, password, SOMEBODY);
const GOOD = await hashPassword('correct horse');
const MATCH = { matches: true, isOutdated: false };
const NO_MATCH = { matches: false, isOutdated: false };

test('a password is hashed with argon2id at the minimum that OWASP asks for', () => {
  expect(GOOD).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('the same password never gets the same hash twice', async () => {
  expect(await hashPassword('correct horse')).not.toBe(GOOD);
});

test('a hash matches the password that it was made from', async () => {
  expect(await verifyPassword(GOOD, 'correct horse')).toStrictEqual(MATCH);
});

test.each(['', 'Correct horse', 'correct horse ', ' correct horse', 'correct hors', 'correct horse\0'])(
  'the password %j does not match',
  async (password) => {
    expect(await verifyPassword(GOOD, password)).toStrictEqual(NO_MATCH);
  },
);

test.each(['  with spaces  ', 'pässwörd ✓ 密码', 'a'.repeat(256), '👩‍👩‍👧‍👦 family'])(
  'the password %j is hashed exactly as typed',
  async (password) => {
    expect(await verifyPassword(await hashPassword(password), password)).toStrictEqual(MATCH);
  },
);

test('two spellings of one character are two passwords', async () => {
  expect(await verifyPassword(await hashPassword('caf\u00e9'), 'cafe\u0301')).toStrictEqual(NO_MATCH);
});

test.each([
  ['stronger', { memoryCost: 32_768, timeCost: 3, parallelism: 2 }, false],
  ['of less memory', { memoryCost: 19_455, timeCost: 2, parallelism: 1 }, true],
  ['of fewer passes', { memoryCost: 19_456, timeCost: 1, parallelism: 1 }, true],
  // Argon2i, which is a `const enum` in the library.
  ['of a weaker kind', { memoryCost: 32_768, timeCost: 3, parallelism: 1, algorithm: 1 }, true],
])('a hash %s still matches, and says whether it is outdated', async (_what, options, isOutdated) => {
  const stored = await argon2.hash('correct horse', options);
  expect(await verifyPassword(stored, 'correct horse')).toStrictEqual({ matches: true, isOutdated });
});

test('a missing or malformed hash matches no password, and costs the same work as a wrong password', async () => {
  const verify = vi.fn(argon2.verify);
  vi.doMock('@node-rs/argon2', () => ({ ...argon2, verify }));
  try {
    for (const storedHash of [GOOD, null, 'not a hash']) {
      expect(await verifyPassword(storedHash, 'wrong horse')).toStrictEqual(NO_MATCH);
    }
  } finally {
    vi.doUnmock('@node-rs/argon2');
  }
  const same = [argon2.parseOptions(GOOD), 'wrong horse'];
  expect(
    verify.mock.calls.map(([verified, password]) => [argon2.parseOptions(String(verified)), password]),
  ).toStrictEqual([same, same, same]);
  expect(await verifyPassword(null, 'correct horse')).toStrictEqual(NO_MATCH);
});

describe('a stored hash that is malformed matches nothing', () => {
  test.each([
    ['empty', ''],
    ['not a hash', 'correct horse'],
    ['of another kind', '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'],
    ['cut', GOOD.slice(0, 40)],
    ['one character short', GOOD.slice(0, -1)],
    ['one character long', `${GOOD}A`],
    ['without its digest', GOOD.replace(/\$[^$]*$/, '')],
    ['with too short a digest', GOOD.replace(/\$[^$]*$/, '$YQ')],
    ['of an unknown version', GOOD.replace('v=19', 'v=99')],
    ['of too little memory', GOOD.replace('m=19456', 'm=7')],
    ['of no passes', GOOD.replace('t=2', 't=0')],
    ['of a number out of range', GOOD.replace('m=19456', 'm=99999999999')],
    ['with a NUL at its end', `${GOOD}\0`],
  ])('%s', async (_name, storedHash) => {
    expect(await verifyPassword(storedHash, 'correct horse')).toStrictEqual(NO_MATCH);
  });
});

test('every check in a burst far over the limit is answered correctly', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      verifyPassword(GOOD, index % 2 === 0 ? 'correct horse' : 'wrong horse'),
    ),
  );
  expect(answers.map(({ matches }) => matches)).toStrictEqual(
    Array.from({ length: 12 }, (_, index) => index % 2 === 0),
  );
});

// A load hashes the passwords of a whole batch of records together.
test('all new passwords are hashed, however many come at once', async () => {
  const hashes = await Promise.all(Array.from({ length: 60 }, () => hashPassword('correct horse')));
  expect(new Set(hashes).size).toBe(60);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', (maxConcurrent) => {
  expect(() => makeArgon2PasswordHasher({ maxConcurrent })).toThrow(RangeError);
});

describe.each([1, 3])('with %i checks at once', (maxConcurrent) => {
  const flooding = (
    count: number,
    { verifyPassword: verify } = makeArgon2PasswordHasher({ maxConcurrent }),
  ) => {
    const finished: string[] = [];
    const outcomes: Promise<unknown>[] = [];
    const add = (who: string, site: string, client: string) => {
      const checked = verify(GOOD, 'wrong horse', { site, client });
      outcomes.push(checked.then(() => finished.push(who)));
    };
    // As if from every address of a network.
    for (let i = 0; i < count; i++) add('flood', '192.0.2.0/24', `192.0.2.${i}`);
    return { add, finished, outcomes };
  };

  test('somebody from another network waits for one turn of a flood, not for all of it', async () => {
    const { add, finished, outcomes } = flooding(40);
    add('somebody', '198.51.100.0/24', '198.51.100.1');
    await Promise.all(outcomes);
    expect(finished).toHaveLength(41);
    // Threads of a busy machine overtake each other, so some of the flood can end first.
    expect(finished.indexOf('somebody')).toBeLessThan(20);
  });

  test('somebody in the same network does not wait for all that another client sent', async () => {
    const { verifyPassword: verify } = makeArgon2PasswordHasher({ maxConcurrent });
    const finished: string[] = [];
    const check = async (who: string, client: string) => {
      await verify(GOOD, 'wrong horse', { site: '192.0.2.0/24', client });
      finished.push(who);
    };
    const flood = Array.from({ length: 20 }, () => check('flood', '192.0.2.66'));
    await Promise.all([...flood, check('somebody', '192.0.2.1')]);
    expect(finished.indexOf('somebody')).toBeLessThanOrEqual(2 * maxConcurrent);
  });

  test('a flood is refused beyond a limit, and nobody else is', async () => {
    const { add, finished, outcomes } = flooding(150);
    add('somebody', '198.51.100.0/24', '198.51.100.1');
    const settled = await Promise.allSettled(outcomes);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(150 - 100 - maxConcurrent);
    expect(
      refused.every((outcome) => 'reason' in outcome && outcome.reason instanceof PasswordQueueFullError),
    ).toBe(true);
    expect(finished).toContain('somebody');
  });
});
