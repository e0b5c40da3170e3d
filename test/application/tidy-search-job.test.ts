/** The job that tidies what searches read: when it runs, and until nothing is left to do. */
import { expect, test } from 'vitest';
import { makeTidySearchJob } from '#application/search/tidy-search-job.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';

const MINUTE_MS = 60_000;
const aborting = new AbortController().signal;
const NEVER = { stopping: aborting, aborting };

function setUp(untidy: number, afterBatch: () => void = () => undefined) {
  const { clock, moveTo } = movableClock();
  let runs = 0;
  let left = untidy;
  const job = makeTidySearchJob({
    tidySearch: async (limit) => {
      runs++;
      const made = Math.min(left, limit);
      left -= made;
      afterBatch();
      return made;
    },
    clock,
  });
  return { job, moveTo, runs: () => runs, left: () => left };
}

test('the job tidies batch by batch, until a batch is not full', async () => {
  const { job, left, runs } = setUp(450);
  await job.run(NEVER);
  expect([left(), runs()]).toStrictEqual([0, 3]);
});

test('the job looks once a minute', async () => {
  const { job, moveTo, runs } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT + MINUTE_MS - 1);
  await job.run(NEVER);
  expect(runs()).toBe(1);
  moveTo(SOME_INSTANT + MINUTE_MS);
  await job.run(NEVER);
  expect(runs()).toBe(2);
});

test('the job looks at once after the clock has been set back', async () => {
  const { job, moveTo, runs } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT - MINUTE_MS);
  await job.run(NEVER);
  expect(runs()).toBe(2);
});

test('the job starts no other batch once it is told to stop', async () => {
  const stop = new AbortController();
  const { job, left } = setUp(450, () => stop.abort());
  await job.run({ stopping: stop.signal, aborting });
  expect(left()).toBe(250);
});
