import { describe, expect, test } from 'vitest';
import { currentTotpCode, otpauthTotp } from '#adapters/auth/otpauth-totp.ts';

/** RFC 6238, Appendix B: the secret of its SHA-1 vectors, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('the code of RFC 6238', () => {
  // The codes in the RFC have eight digits; ours are the last six of them.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s', (seconds, code) => {
    expect(otpauthTotp.findStep(RFC_SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
    expect(currentTotpCode(RFC_SECRET, seconds * 1_000)).toBe(code);
  });
});

describe('a code', () => {
  const at = 1_234_567_890_000;
  const step = Math.floor(at / 30_000);

  test.each([-2, -1, 0, 1, 2])('of %i steps from now is good only within one step', (drift) => {
    const code = currentTotpCode(RFC_SECRET, at + drift * 30_000);
    expect(otpauthTotp.findStep(RFC_SECRET, code, at)).toBe(Math.abs(drift) <= 1 ? step + drift : null);
  });

  test('of another secret is refused', () => {
    const code = currentTotpCode(otpauthTotp.newSecret(), at);
    expect(otpauthTotp.findStep(RFC_SECRET, code === '005924' ? '000000' : code, at)).toBeNull();
  });
});

test('a secret has 160 bits, and is never the same twice', () => {
  const secrets = Array.from({ length: 20 }, () => otpauthTotp.newSecret());
  expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true);
  expect(new Set(secrets).size).toBe(20);
});

test('the URI tells an authenticator app everything that it needs', () => {
  const uri = new URL(otpauthTotp.keyUri(RFC_SECRET, 'sam+ops@example.com'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toMatch(/Fleetsift:sam\+ops@example\.com$/);
  expect(Object.fromEntries(uri.searchParams)).toStrictEqual({
    issuer: 'Fleetsift',
    secret: RFC_SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
