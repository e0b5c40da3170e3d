import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { makeArgon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';

const { hashPassword, verifyPassword } = makeArgon2PasswordHasher({ maxConcurrent: 2 });
const GOOD = await hashPassword('correct horse');

test('a password becomes an argon2id hash at the minimum that OWASP asks for', () => {
  expect(GOOD).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('the same password never becomes the same hash', async () => {
  expect(await hashPassword('correct horse')).not.toBe(GOOD);
});

test('the password it was made from matches', async () => {
  expect(await verifyPassword(GOOD, 'correct horse')).toBe(true);
});

test.each(['', 'Correct horse', 'correct horse ', ' correct horse', 'correct hors', 'correct horse\0'])(
  '%j does not match',
  async (password) => {
    expect(await verifyPassword(GOOD, password)).toBe(false);
  },
);

test.each(['  with spaces  ', 'pässwörd ✓ 密码', 'a'.repeat(256), '👩‍👩‍👧‍👦 family'])(
  '%j is taken exactly as typed',
  async (password) => {
    expect(await verifyPassword(await hashPassword(password), password)).toBe(true);
  },
);

test('two spellings of one character are two passwords', async () => {
  expect(await verifyPassword(await hashPassword('caf\u00e9'), 'cafe\u0301')).toBe(false);
});

test('hashes of other parameters still match', async () => {
  const stronger = await hash('correct horse', { memoryCost: 32_768, timeCost: 3, parallelism: 2 });
  expect(await verifyPassword(stronger, 'correct horse')).toBe(true);
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
    expect(await verifyPassword(storedHash, 'correct horse')).toBe(false);
  });
});

test('a burst far over the limit is answered, every one rightly', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      verifyPassword(GOOD, index % 2 === 0 ? 'correct horse' : 'wrong horse'),
    ),
  );
  expect(answers).toStrictEqual(Array.from({ length: 12 }, (_, index) => index % 2 === 0));
});
