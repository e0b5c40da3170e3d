import { expect, test } from 'vitest';
import { markPlace } from '#adapters/cli/terminal/format-text.ts';

test.each([
  ['a:b c', 0, 1, '  a:b c\n  ^'],
  ['a:b c', 2, 5, '  a:b c\n    ^^^'],
  ['a:', 2, 2, '  a:\n    ^'],
  ['🖨 x:y', 3, 4, '  🖨 x:y\n    ^'],
  ['a\tb\u202ec', 3, 5, '  a\\u0009b\\u202ec\n          ^^^^^^^'],
  [
    `${'x'.repeat(100)}!${'y'.repeat(100)}`,
    100,
    101,
    `  …${'x'.repeat(60)}!${'y'.repeat(60)}…\n  ${' '.repeat(61)}^`,
  ],
])('in %j, the place from %i to %i is marked', (text, start, end, lines) => {
  expect(markPlace(text, start, end)).toBe(lines);
});
