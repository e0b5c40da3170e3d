import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { compareVersions } from '#test/support/compare-versions.ts';

type Sign = '<' | '=' | '>';

/** Pairs with the recorded answers of dpkg 1.21, rpm 4.18 and semver 7.8; `-` where they refuse a version. */
const PAIRS = readFileSync(new URL('../../../fixtures/version-pairs.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

test('real versions are in the expected order, and the table explains where other tools differ', () => {
  expect(PAIRS.length).toBeGreaterThan(200);
  for (const [a = '', sign, b = '', dpkg, rpm, semver, reason] of PAIRS) {
    expect(`${a} ${byKey(a, b)} ${b}`).toBe(`${a} ${sign} ${b}`);
    const doOthersDiffer = [dpkg, rpm, semver].some((other) => other !== '-' && other !== sign);
    expect(`${a} ${b}: ${reason !== undefined}`).toBe(`${a} ${b}: ${doOthersDiffer}`);
  }
});

test('a text without letters and digits has no key', () => {
  expect(['', ' ', '...', '-_~', '١٢', '\u0301'].map(versionKey)).toStrictEqual(Array(6).fill(null));
});

test('keys sort like their versions, part by part', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '0',
      '00',
      '1',
      '9',
      '10',
      '01',
      '123456789012345678901',
      'a',
      'A',
      'aa',
      'b',
      'ä',
      'é',
      '𝔞',
      'ﬀ',
    ),
    fc.constantFrom('dev', 'snapshot', 'alpha', 'beta', 'pre', 'preview', 'RC', 'rcs'),
    fc.nat({ max: 2000 }).map(String),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const version = fc
    .array(fc.tuple(part, fc.constantFrom('.', '-', '', '+', '~', '.0.', '.0.0.')), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(version, version, (a, b) => {
      if (versionKey(a) === null || versionKey(b) === null) return;
      expect(byKey(a, b)).toBe(signOf(compareVersions(a, b)));
    }),
    { numRuns: 5_000 },
  );
});

function byKey(a: string, b: string): Sign {
  return signOf(compareCodePoints(versionKey(a) ?? '', versionKey(b) ?? ''));
}

function signOf(difference: number): Sign {
  return difference < 0 ? '<' : difference > 0 ? '>' : '=';
}
