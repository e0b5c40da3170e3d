/** The job that marks silent devices: when, and until none is left. */
import { expect, test } from 'vitest';
import { makeSilenceJob } from '#application/fleet/fleet-jobs.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const aborting = new AbortController().signal;
const NEVER = { stopping: aborting, aborting };

function setUp(silent: number, afterBatch: () => void = () => undefined) {
  const { clock, moveTo } = movableClock();
  const asked: number[] = [];
  let left = silent;
  const job = makeSilenceJob({
    markSilent: async (seenBefore, limit) => {
      asked.push(seenBefore);
      const marked = Math.min(left, limit);
      left -= marked;
      afterBatch();
      return marked;
    },
    offlineAfterMinutes: 90,
    clock,
  });
  return { job, moveTo, asked, left: () => left };
}

test('marks what has not been seen for so long, batch by batch', async () => {
  const { job, asked, left } = setUp(1_200);
  await job.run(NEVER);
  expect(left()).toBe(0);
  expect(asked).toStrictEqual([1, 2, 3].map(() => SOME_INSTANT - 90 * MINUTE_MS));
});

test('looks once a minute', async () => {
  const { job, moveTo, asked } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT + MINUTE_MS - 1);
  await job.run(NEVER);
  moveTo(SOME_INSTANT + MINUTE_MS);
  await job.run(NEVER);
  expect(asked).toStrictEqual([SOME_INSTANT - 90 * MINUTE_MS, SOME_INSTANT - 89 * MINUTE_MS]);
});

test('looks at once after the clock has been set back, and not only when it has caught up', async () => {
  const { job, moveTo, asked } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT - DAY_MS);
  await job.run(NEVER);
  await job.run(NEVER);
  expect(asked).toStrictEqual([SOME_INSTANT, SOME_INSTANT - DAY_MS].map((now) => now - 90 * MINUTE_MS));
});

test('starts no other batch once it is told to stop', async () => {
  const stop = new AbortController();
  const { job, left } = setUp(1_200, () => stop.abort());
  await job.run({ stopping: stop.signal, aborting });
  expect(left()).toBe(700);
});
