import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';

type Sign = '<' | '=' | '>';

/** What dpkg 1.21, rpm 4.18 and semver 7.8 say was written down once; `-` where they do not take a version. */
const PAIRS = readFileSync(new URL('../../../fixtures/version-pairs.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

test('pairs of real versions are in order, and where others differ the table says why', () => {
  expect(PAIRS.length).toBeGreaterThan(200);
  for (const [a = '', sign, b = '', dpkg, rpm, semver, reason] of PAIRS) {
    expect(`${a} ${byKey(a, b)} ${b}`).toBe(`${a} ${sign} ${b}`);
    const doOthersDiffer = [dpkg, rpm, semver].some((other) => other !== '-' && other !== sign);
    expect(`${a} ${b}: ${reason !== undefined}`).toBe(`${a} ${b}: ${doOthersDiffer}`);
  }
});

test('a text without letters and digits has no version', () => {
  expect(['', ' ', '...', '-_~', '١٢', '\u0301'].map(versionKey)).toStrictEqual(Array(6).fill(null));
});

test('keys are in the order of their parts', () => {
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
      expect(byKey(a, b)).toBe(byParts(a, b));
    }),
    { numRuns: 5_000 },
  );
});

function byKey(a: string, b: string): Sign {
  return signOf(compareCodePoints(versionKey(a) ?? '', versionKey(b) ?? ''));
}

/** The contract, read literally. */
function byParts(a: string, b: string): Sign {
  const [x, y] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const sign = signOf(compareParts(x[i] ?? '0', y[i] ?? '0'));
    if (sign !== '=') return sign;
  }
  return '=';
}

const partsOf = (text: string) => [...text.matchAll(/[0-9]+|\p{L}+/gu)].map(([part]) => part.toLowerCase());

const WORDS = ['dev', 'snapshot', 'alpha', 'beta', 'pre', 'preview', 'rc'];

function compareParts(a: string, b: string): number {
  const [x, y] = [classOf(a), classOf(b)];
  if (x !== y) return x - y;
  if (x < 4) return WORDS.indexOf(a) - WORDS.indexOf(b);
  return /^[0-9]/.test(a) ? Number(BigInt(a) - BigInt(b)) : compareCodePoints(a, b);
}

function classOf(part: string): number {
  if (WORDS.includes(part)) return 0;
  if (!/^[0-9]/.test(part)) return 5;
  return BigInt(part) === 0n ? 4 : 6;
}

function signOf(difference: number): Sign {
  return difference < 0 ? '<' : difference > 0 ? '>' : '=';
}
