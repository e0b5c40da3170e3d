import { expect, test } from 'vitest';
import { storableUserAgent } from '#domain/access/session.ts';

test.each([
  ['null', null, null],
  ['undefined', undefined, null],
  ['spaces', '  ', null],
  ['a browser', ' Mozilla/5.0 (X11; Linux x86_64) ', 'Mozilla/5.0 (X11; Linux x86_64)'],
  ['controls and a NUL', 'a\u0000b\u001b[31m\u007f\u0085c', 'ab[31mc'],
  ['characters that reverse the direction of text', 'a\u202eb\u2066c', 'abc'],
  ['an unpaired surrogate', 'a\ud800b', 'ab'],
  ['257 characters, some outside the BMP', '𝔸'.repeat(257), '𝔸'.repeat(256)],
])('stores the printable part of %s', (_what, sent, stored) => {
  expect(storableUserAgent(sent)).toBe(stored);
});
