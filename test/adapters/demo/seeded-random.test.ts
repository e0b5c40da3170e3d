import { describe, expect, test } from 'vitest';
import { seededRandom } from '#adapters/demo/seeded-random.ts';

const DRAWS = Array.from({ length: 2_000 });

test('a name gives the same stream every time', () => {
  const one = seededRandom('Łódź');
  const other = seededRandom('Łódź');
  expect(DRAWS.map(() => one.fraction())).toStrictEqual(DRAWS.map(() => other.fraction()));
});

test('the stream of a name is the same in every version', () => {
  const random = seededRandom('demo');
  expect([
    random.integer(0, 999_999),
    random.integer(0, 999_999),
    random.integer(0, 999_999),
  ]).toMatchInlineSnapshot(`
    [
      838889,
      135353,
      55482,
    ]
  `);
});

test('names that differ in one letter give different streams', () => {
  expect(seededRandom('device varhaug/1').fraction()).not.toBe(seededRandom('device varhaug/2').fraction());
});

describe('a draw', () => {
  const random = seededRandom('draws');

  test('of a whole number reaches both bounds and nothing beyond', () => {
    const drawn = new Set(DRAWS.map(() => random.integer(-1, 3)));
    expect([...drawn].sort((a, b) => a - b)).toStrictEqual([-1, 0, 1, 2, 3]);
  });

  test('by chance is never true at 0 and always true at 1', () => {
    expect(new Set(DRAWS.map(() => random.chance(0)))).toStrictEqual(new Set([false]));
    expect(new Set(DRAWS.map(() => random.chance(1)))).toStrictEqual(new Set([true]));
  });

  test('by weight is about as frequent as its weight and never at weight 0', () => {
    const drawn = DRAWS.map(() =>
      random.pickWeighted([
        ['often', 3],
        ['never', 0],
        ['seldom', 1],
      ]),
    );
    const often = drawn.filter((item) => item === 'often').length;
    expect(new Set(drawn)).toStrictEqual(new Set(['often', 'seldom']));
    expect(often / drawn.length).toBeCloseTo(0.75, 1);
  });

  test('with a long tail is within its bounds and mostly small', () => {
    const drawn = DRAWS.map(() => random.longTail(1, 10_000));
    expect(drawn.every((value) => value >= 1 && value < 10_000)).toBe(true);
    expect(drawn.filter((value) => value < 100).length / drawn.length).toBeCloseTo(0.5, 1);
  });

  test('of a pattern fills its placeholders and keeps the rest', () => {
    expect(random.fill('PF-@#**-x')).toMatch(/^PF-[A-HJ-NP-Z][0-9][0-9A-HJ-NP-Z]{2}-x$/);
  });

  test.each([
    ['pick', () => random.pick([])],
    ['pickWeighted', () => random.pickWeighted([])],
  ])('from an empty list with %s is refused', (_name, draw) => {
    expect(draw).toThrow('nothing to pick from');
  });
});
