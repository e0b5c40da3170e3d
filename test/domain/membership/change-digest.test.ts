/** What mails say about the changes of a filter. */
import { describe, expect, test } from 'vitest';
import { CrossingFinder, DigestBuilder, type Line } from '#domain/membership/change-digest.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';

const [A, B, C] = [newId<'device'>(), newId<'device'>(), newId<'device'>()];
const NAMES = new Map([
  [A, 'a'],
  [B, 'b'],
]);

let seq = 0;
const change = (type: 'entered' | 'left', deviceId: typeof A, second = 0): MembershipChange => ({
  ...{ seq: ++seq, at: SOME_INSTANT + second * 1_000, type, deviceId, cause: 'device', filterVersion: 1 },
  hostname: NAMES.get(deviceId) ?? null,
});
const event = (type: 'degraded' | 'recovered'): MembershipChange => ({
  ...{ seq: ++seq, at: SOME_INSTANT, type, filterVersion: 1 },
});

describe('a digest', () => {
  const digest = (...changes: readonly MembershipChange[]) => {
    const builder = new DigestBuilder();
    for (const each of changes) builder.add(each);
    return builder.finish(SOME_INSTANT);
  };
  const nobody = { count: 0, names: [] };

  test('names the devices that entered and left, and deleted devices by their ids', () => {
    expect(digest(change('entered', A), change('left', B, 5), change('left', C, 7))).toStrictEqual({
      ...{ from: SOME_INSTANT, to: SOME_INSTANT + 7_000, passing: 0, evaluation: null },
      entered: { count: 1, names: ['a'] },
      left: { count: 2, names: ['b', C] },
    });
  });

  test('counts a device that entered and left again as passing', () => {
    expect(digest(change('entered', A), change('left', A))).toMatchObject({ entered: nobody, passing: 1 });
    expect(digest(change('left', A), change('entered', A), change('left', A))).toMatchObject({
      ...{ entered: nobody, left: { count: 1, names: ['a'] }, passing: 0 },
    });
  });

  test('names the first twenty devices, and counts all', () => {
    const { entered } = digest(...Array.from({ length: 25 }, () => change('entered', newId<'device'>())));
    expect([entered.count, entered.names.length]).toStrictEqual([25, 20]);
  });

  test('reports the later of degraded and recovered', () => {
    expect(digest(event('degraded')).evaluation).toBe('degraded');
    expect(digest(event('degraded'), event('recovered'), change('entered', A)).evaluation).toBe('recovered');
  });
});

describe('crossings of a line', () => {
  /** Counts at the seconds 1, 2, …; the changes between two counts belong to one evaluation. */
  function crossings(line: Line, before: number, ...counts: readonly number[]) {
    const finder = new CrossingFinder(line, before);
    let last = before;
    counts.forEach((count, i) => {
      for (; last < count; last++) finder.add(change('entered', newId<'device'>(), i + 1));
      for (; last > count; last--) finder.add(change('left', newId<'device'>(), i + 1));
    });
    return finder.finish().map(({ at, count, isBack }) => [(at - SOME_INSTANT) / 1_000, count, isBack]);
  }

  test.each([
    [{ above: 5 }, 5, [6], [[1, 6, false]]],
    [{ above: 5 }, 5, [4, 5, 3], []],
    [{ above: 5 }, 9, [6, 5], [[2, 5, true]]],
    [{ above: 0 }, 0, [1], [[1, 1, false]]],
    [{ below: 5 }, 5, [4], [[1, 4, false]]],
    [{ below: 5 }, 4, [5], [[1, 5, true]]],
    [{ below: 5 }, 5, [9, 5], []],
    [
      { above: 5 },
      5,
      [7, 2],
      [
        [1, 7, false],
        [2, 2, true],
      ],
    ],
    [{ above: 5 }, 5, [7, 2, 8], [[3, 8, false]]],
  ] as const)('are found for %j with %i before, then %j', (line, before, counts, expected) => {
    expect(crossings(line, before, ...counts)).toStrictEqual(expected);
  });

  test('are not looked for in the middle of an evaluation', () => {
    const finder = new CrossingFinder({ below: 2 }, 2);
    for (const each of [change('left', A), change('left', B), change('entered', C), change('entered', A)])
      finder.add(each);
    expect(finder.finish()).toStrictEqual([]);
  });
});
