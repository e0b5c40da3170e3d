/** A clock that a jump of the machine's clock does not lead astray. */
import { expect, test } from 'vitest';
import { makeCautiousClock } from '#application/cautious-clock.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function openClock() {
  let passed = 5;
  let offset = SOME_INSTANT;
  const warnings: object[] = [];
  const ignore = () => undefined;
  const cautious = makeCautiousClock({
    clock: () => offset + passed,
    monotonicMs: () => passed,
    log: { debug: ignore, info: ignore, error: ignore, warn: (facts) => void warnings.push(facts) },
  });
  return {
    warnings,
    /** The cautious clock and the machine's clock, in minutes since the beginning. */
    read: () => [cautious() - SOME_INSTANT - 5, offset + passed - SOME_INSTANT - 5].map((ms) => ms / MINUTE),
    pass: (ms: number) => {
      passed += ms;
    },
    jump: (ms: number) => {
      offset += ms;
    },
  };
}

test('the clock follows the machine’s clock, even when small corrections of it add up', () => {
  const { read, pass, jump, warnings } = openClock();
  for (let i = 0; i < 10; i++) {
    pass(MINUTE);
    jump(MINUTE / 2);
    expect(read()).toStrictEqual([1.5 * (i + 1), 1.5 * (i + 1)]);
  }
  expect(warnings).toStrictEqual([]);
});

test('after a jump ahead, the clock keeps its pace for a day and then follows', () => {
  const { read, pass, jump, warnings } = openClock();
  pass(MINUTE);
  expect(read()).toStrictEqual([1, 1]);
  jump(DAY);
  expect(read()).toStrictEqual([1, 1_441]);
  pass(DAY - MINUTE);
  expect(read()).toStrictEqual([1_440, 2_880]);
  pass(MINUTE);
  expect(read()).toStrictEqual([2_881, 2_881]);
  expect(warnings).toStrictEqual([{ aheadMinutes: 1_440 }]);
});

test('a jump that is taken back leaves no trace', () => {
  const { read, pass, jump } = openClock();
  jump(DAY);
  expect(read()).toStrictEqual([0, 1_440]);
  jump(-DAY);
  pass(MINUTE);
  expect(read()).toStrictEqual([1, 1]);
  jump(DAY);
  pass(MINUTE);
  expect(read()[0]).toBe(2);
});

test('the clock is never ahead of the machine’s clock, which may be set back and return', () => {
  const { read, pass, jump, warnings } = openClock();
  jump(-DAY);
  pass(MINUTE);
  expect(read()).toStrictEqual([-1_439, -1_439]);
  jump(DAY);
  expect(read()).toStrictEqual([1, 1]);
  expect(warnings).toStrictEqual([]);
});
