import { expect, test, vi } from 'vitest';
import { makePatternChecker } from '#adapters/postgres/reads/filters/pattern-checker.ts';
import type { JudgePatterns } from '#adapters/postgres/reads/running/scoped-reader.ts';

test('verdicts are kept, but not of more than a million characters', async () => {
  const judge = vi.fn<JudgePatterns>(async () => ({ kind: 'good' }));
  const check = makePatternChecker({ withPatterns: (_, work) => work(judge) }, 5_000);
  const long = (i: number) => `${i}`.padEnd(1_000, 'x');
  const patterns = Array.from({ length: 1_500 }, (_, i) => long(i));
  await check(['', ...patterns], 'a tenant');
  judge.mockClear();
  await check([long(1_499)], 'a tenant');
  expect(judge).not.toHaveBeenCalled();
  await check(['', long(0)], 'a tenant');
  expect(judge.mock.calls.map(([asked]) => asked)).toStrictEqual([['', long(0)]]);
});
