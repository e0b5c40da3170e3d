import { expect, test } from 'vitest';
import { passwordLengthFault } from '#domain/access/password.ts';

test.each([
  ['', 'too-short'],
  ['1234567', 'too-short'],
  ['12345678', null],
  ['🔑'.repeat(7), 'too-short'],
  ['🔑'.repeat(8), null],
  ['🔑'.repeat(256), null],
  ['x'.repeat(256), null],
  ['x'.repeat(257), 'too-long'],
])('counts the code points of "%s": %s', (password, fault) => {
  expect(passwordLengthFault(password)).toBe(fault);
});
