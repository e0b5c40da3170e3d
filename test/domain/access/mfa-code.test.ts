import { expect, test } from 'vitest';
import { parseMfaCode } from '#domain/access/mfa.ts';

test.each(['000000', '123456', '999999'])('%s is the code of an authenticator app', (code) => {
  expect(parseMfaCode(code)).toStrictEqual({ kind: 'totp', code });
});

test.each(['0123-4567-89ab-cdef', '0123-4567-89AB-CDEF', ' 0123-4567-89ab-cdef\n'])(
  '%j is a recovery code',
  (text) => {
    expect(parseMfaCode(text)).toStrictEqual({ kind: 'recovery', code: '0123-4567-89ab-cdef' });
  },
);

test.each([
  ['nothing', ''],
  ['too short', '12345'],
  ['too long', '1234567'],
  ['with a space', '123 456'],
  ['with a newline at its end', '123456\n'],
  ['with a sign', '-12345'],
  ['with a fraction', '1234.5'],
  ['in full-width digits', '１２３４５６'],
  ['in Arabic-Indic digits', '١٢٣٤٥٦'],
  ['in mathematical digits', '𝟏𝟐𝟑𝟒𝟓𝟔'],
  ['a recovery code without hyphens', '0123456789abcdef'],
  ['a recovery code with letters that no code contains', '0123-4567-89ab-ilou'],
  ['a recovery code that is too long', '0123-4567-89ab-cdef-0123'],
])('a code is refused: %s', (_what, text) => {
  expect(parseMfaCode(text)).toBeNull();
});
