/** The job that removes unused titles: when it runs, and until nothing is left to do. */
import { expect, test } from 'vitest';
import { makeUnusedTitlesJob } from '#application/fleet/fleet-jobs.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';

const EVERY_MS = 20_000;
const aborting = new AbortController().signal;
const NEVER = { stopping: aborting, aborting };

function setUp(organizations: number, afterBatch: () => void = () => undefined) {
  const { clock, moveTo } = movableClock();
  let runs = 0;
  let left = organizations;
  const job = makeUnusedTitlesJob({
    removeUnusedTitles: async (limit) => {
      runs++;
      const done = Math.min(left, limit);
      left -= done;
      afterBatch();
      return done;
    },
    clock,
  });
  return { job, moveTo, runs: () => runs, left: () => left };
}

test('the job works batch by batch, until a batch is not full', async () => {
  const { job, left, runs } = setUp(250);
  await job.run(NEVER);
  expect([left(), runs()]).toStrictEqual([0, 3]);
});

test('the job looks three times a minute, and at once after the clock has been set back', async () => {
  const { job, moveTo, runs } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT + EVERY_MS - 1);
  await job.run(NEVER);
  expect(runs()).toBe(1);
  moveTo(SOME_INSTANT + EVERY_MS);
  await job.run(NEVER);
  expect(runs()).toBe(2);
  moveTo(SOME_INSTANT);
  await job.run(NEVER);
  expect(runs()).toBe(3);
});

test('the job starts no other batch once it is told to stop', async () => {
  const stop = new AbortController();
  const { job, left } = setUp(250, () => stop.abort());
  await job.run({ stopping: stop.signal, aborting });
  expect(left()).toBe(150);
});
