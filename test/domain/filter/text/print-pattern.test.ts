/** A pattern that is printed between slashes and read back matches the same texts, whatever its backslashes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { printPattern } from '#domain/filter/text/print/print-condition.ts';
import { readText } from './text-catalog.ts';

const PREFIXES = ['', '', '', '***=', '***:', '(?q)', '(?iq)', '(?e)', '(?b)', '***:(?e)', '(?x)', '(?i)'];

const PIECES = [
  ...[
    '/',
    '/',
    '\\',
    '\\',
    '\\/',
    '\\\\',
    '[',
    ']',
    '[^',
    '(',
    ')',
    '\\(',
    '\\)',
    '|',
    '.',
    '*',
    '-',
    '#',
    '\n',
  ],
  ...['a', 'b', '.', '\\c', '\\.', '[.', '.]', '[:alpha:]', '(?#', '{2}', '\\{', '^', '$', '\u001c'],
];

const PATTERN = fc
  .tuple(fc.constantFrom(...PREFIXES), fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }))
  .map(([prefix, pieces]) => prefix + pieces.join(''));

const SAMPLE = fc
  .array(
    fc.constantFrom('/', '\\', 'a', 'A', 'b', '.', '[', ']', '(', ')', '-', '*', '\n', '\u001c', '{2}'),
    {
      maxLength: 6,
    },
  )
  .map((pieces) => pieces.join(''));

test('a pattern that is printed and read back matches the same texts, or is refused as well', () => {
  let compared = 0;
  fc.assert(
    fc.property(PATTERN, fc.array(SAMPLE, { minLength: 20, maxLength: 20 }), (pattern, samples) => {
      const text = `host:${printPattern(pattern)}`;
      const [leaf] = readText(text).conditions;
      const read = leaf !== undefined && 'value' in leaf ? String(leaf.value) : '';
      if (read === pattern) return;
      compared++;
      const [before, after] = [translatePattern(pattern), translatePattern(read)];
      if (!before.ok) {
        // PostgreSQL still refuses what it refused before.
        if (before.error.kind === 'invalid') expect(after.ok, text).toBe(false);
        return;
      }
      expect(after.ok, text).toBe(true);
      if (!after.ok) return;
      for (const sample of samples) expect(after.value(sample), sample).toBe(before.value(sample));
    }),
    { numRuns: 10_000, seed: 1 },
  );
  expect(compared).toBeGreaterThan(500);
});
