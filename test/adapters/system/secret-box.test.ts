import { describe, expect, test } from 'vitest';
import { makeSecretBox } from '#adapters/system/secret-box.ts';

const box = makeSecretBox('a key with at least thirty-two bytes');

test.each(['', 'JBSWY3DPEHPK3PXP', '{"d":"…"}', '密码', 'x'.repeat(10_000)])(
  '%j comes out as it went in',
  (secret) => {
    expect(box.open(box.seal(secret))).toBe(secret);
  },
);

test('the same secret never looks the same twice, nor like itself', () => {
  const sealed = [box.seal('JBSWY3DPEHPK3PXP'), box.seal('JBSWY3DPEHPK3PXP')];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(sealed.some((text) => text.includes('JBSWY3DPEHPK3PXP'))).toBe(false);
});

describe('nothing is made of', () => {
  const sealed = box.seal('JBSWY3DPEHPK3PXP');
  const flip = (at: number) => {
    const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return `v1.${bytes.toString('base64url')}`;
  };

  test.each([
    ['what another key sealed', makeSecretBox('another key of at least thirty-two bytes').seal('x')],
    ['a secret that was never sealed', 'JBSWY3DPEHPK3PXP'],
    ['another nonce', flip(0)],
    ['another tag', flip(12)],
    ['another text', flip(28)],
    ['what is cut off', sealed.slice(0, -2)],
    [
      'a tag of four bytes',
      `v1.${Buffer.from(sealed.slice(3), 'base64url').subarray(0, 16).toString('base64url')}`,
    ],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(() => box.open(text)).toThrow();
  });
});
