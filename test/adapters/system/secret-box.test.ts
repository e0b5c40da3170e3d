import { describe, expect, test } from 'vitest';
import { makeSecretBox } from '#adapters/system/secret-box.ts';

const KEY = 'a key with at least thirty-two bytes';
const box = makeSecretBox(KEY);
const PLACE = { table: 'app_user', row: '1', column: 'totp_secret' };

/** Sealed with `KEY` by the version of Fleetsift that named neither key nor place. */
const FORMER = 'v1.ocTstzisLOgpgouM1FdHxUPFjgALgb8A8FGWb5eiuPBAxhhz2rIT0FXhZnw';

test.each(['', 'JBSWY3DPEHPK3PXP', '{"d":"…"}', '密码', 'x'.repeat(10_000)])(
  '%j is sealed and opened again',
  (secret) => {
    expect(box.open(box.seal(secret, PLACE), PLACE)).toBe(secret);
  },
);

test('a secret is sealed differently each time, and never readably', () => {
  const sealed = [box.seal('JBSWY3DPEHPK3PXP', PLACE), box.seal('JBSWY3DPEHPK3PXP', PLACE)];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(sealed.some((text) => text.includes('JBSWY3DPEHPK3PXP'))).toBe(false);
});

test('a box names its key: the same name for the same key, another name for another key', () => {
  expect(box.seal('x', PLACE).startsWith(`v2.${box.keyId}.`)).toBe(true);
  expect(makeSecretBox(KEY).keyId).toBe(box.keyId);
  expect(makeSecretBox(`${KEY}!`).keyId).not.toBe(box.keyId);
});

test('a secret that the former version sealed can be opened', () => {
  expect(box.open(FORMER, PLACE)).toBe('JBSWY3DPEHPK3PXP');
});

describe('a box does not open', () => {
  const sealed = box.seal('JBSWY3DPEHPK3PXP', PLACE);
  test.each([
    ['another table', { ...PLACE, table: 'mfa_enrollment' }],
    ['another row', { ...PLACE, row: '2' }],
    ['another column', { ...PLACE, column: 'name' }],
    ['names that only read alike', { table: 'app_user","1', row: '', column: 'totp_secret' }],
  ])('in %s', (_where, place) => {
    expect(() => box.open(sealed, place)).toThrow();
  });
});

describe('a box refuses to open', () => {
  const sealed = box.seal('JBSWY3DPEHPK3PXP', PLACE);
  const bytesOf = (text: string) => Buffer.from(text.slice(box.prefix.length), 'base64url');
  const flip = (at: number) => {
    const bytes = bytesOf(sealed);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return box.prefix + bytes.toString('base64url');
  };
  const other = makeSecretBox('another key of at least thirty-two bytes');

  test.each([
    ['what another key sealed', other.seal('x', PLACE)],
    ['what another key sealed, under the name of this one', sealed.replace(box.prefix, other.prefix)],
    ['a secret that was never sealed', 'JBSWY3DPEHPK3PXP'],
    ['a changed nonce', flip(0)],
    ['a changed tag', flip(12)],
    ['a changed text', flip(28)],
    ['a text that is cut off', sealed.slice(0, -2)],
    ['a tag of four bytes', box.prefix + bytesOf(sealed).subarray(0, 16).toString('base64url')],
    ['a new text in the old format', `v1.${sealed.slice(box.prefix.length)}`],
    ['an empty text', ''],
  ])('%s', (_what, text) => {
    expect(() => box.open(text, PLACE)).toThrow();
  });
});
