import { expect, test } from 'vitest';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import { ENROLMENT_KEY_FORMAT } from '#domain/access/enrolment-key.ts';
import { parseMfaCode } from '#domain/access/mfa.ts';

test.each([
  ['a refresh token', () => randomSecrets.refreshToken('client'), /^fsr_[\w-]{43}$/],
  ['the first token of a cookie', () => randomSecrets.refreshToken('cookie'), /^fsc_[\w-]{43}$/],
  ['a salt', randomSecrets.salt, /^[\w-]{43}$/],
  ['an API key', randomSecrets.apiKey, API_KEY_FORMAT],
  ['an enrolment key', randomSecrets.enrolmentKey, ENROLMENT_KEY_FORMAT],
  ['a recovery code', randomSecrets.recoveryCode, /^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$/],
])('%s has its form, and is never the same twice', (_what, make, form) => {
  const made = Array.from({ length: 200 }, () => make());
  expect(made.filter((secret) => !form.test(secret))).toStrictEqual([]);
  expect(new Set(made).size).toBe(200);
});

test.each([randomSecrets.apiKey, randomSecrets.enrolmentKey])('a key carries 32 bytes', (make) => {
  expect(Buffer.from(make().slice('fsk_'.length), 'base64url').length).toBe(32);
});

test('the next token of a cookie follows only from the previous token and the salt together', () => {
  const { nextCookieToken, refreshToken, salt } = randomSecrets;
  const [token, some] = [refreshToken('cookie'), salt()];
  const next = nextCookieToken(token, some);
  expect(next).toMatch(/^fsc_[\w-]{43}$/);
  expect(nextCookieToken(token, some)).toBe(next);
  expect([
    token,
    nextCookieToken(token, salt()),
    nextCookieToken(refreshToken('cookie'), some),
  ]).not.toContain(next);
});

test('every recovery code is accepted as it is shown', () => {
  for (let i = 0; i < 200; i++) {
    const code = randomSecrets.recoveryCode();
    expect(parseMfaCode(code)).toStrictEqual({ kind: 'recovery', code });
  }
});

test('a digest is SHA-256 in hexadecimal digits', () => {
  expect(randomSecrets.digest('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
