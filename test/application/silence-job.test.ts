/** The job that marks silent devices: when it runs, how it judges silence, and until none is left. */
import { expect, test } from 'vitest';
import { makeSilenceJob } from '#application/fleet/fleet-jobs.ts';
import type { Hearing } from '#domain/inventory/presence.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const aborting = new AbortController().signal;
const NEVER = { stopping: aborting, aborting };

function setUp(silent: number, { afterBatch = () => {}, intervalMs = 5_000 } = {}) {
  const { clock, moveTo } = movableClock();
  const asked: (number | null)[] = [];
  const noted: (readonly number[])[] = [];
  let left = silent;
  const job = makeSilenceJob({
    noteHearing: async (now, everyMs): Promise<Hearing> => {
      noted.push([now, everyMs]);
      return { heardAt: now, since: { contacts: now - DAY_MS, reports: now } };
    },
    markSilent: async ({ contacts, reports }, limit) => {
      expect(reports).toBeNull();
      asked.push(contacts?.from ?? null);
      const marked = Math.min(left, limit);
      left -= marked;
      afterBatch();
      return marked;
    },
    silenceMinutes: { contacts: 90, reports: 1_500 },
    intervalMs,
    clock,
  });
  return { job, moveTo, asked, noted, left: () => left };
}

test('the job marks devices that have been silent for too long, batch by batch', async () => {
  const { job, asked, left } = setUp(1_200);
  await job.run(NEVER);
  expect(left()).toBe(0);
  expect(asked).toStrictEqual([1, 2, 3].map(() => SOME_INSTANT - 90 * MINUTE_MS));
});

test('the job looks less than a minute after it looked, whatever the worker does in between', async () => {
  const { job, moveTo, asked } = setUp(0);
  for (let poll = 0; poll < 20; poll++) {
    moveTo(SOME_INSTANT + poll * 9_000);
    await job.run(NEVER);
  }
  expect(asked.map((from) => Number(from) + 90 * MINUTE_MS - SOME_INSTANT)).toStrictEqual([
    0, 54_000, 108_000, 162_000,
  ]);
});

test('the job looks at once after the clock has been set back, without waiting for it to catch up', async () => {
  const { job, moveTo, asked } = setUp(0);
  await job.run(NEVER);
  moveTo(SOME_INSTANT - DAY_MS);
  await job.run(NEVER);
  await job.run(NEVER);
  expect(asked).toStrictEqual([SOME_INSTANT, SOME_INSTANT - DAY_MS].map((now) => now - 90 * MINUTE_MS));
});

test('the job starts no other batch once it is told to stop', async () => {
  const stop = new AbortController();
  const { job, left } = setUp(1_200, { afterBatch: () => stop.abort() });
  await job.run({ stopping: stop.signal, aborting });
  expect(left()).toBe(700);
});

test('the job notes that it listens, and how often it runs', async () => {
  const often = setUp(0);
  await often.job.run(NEVER);
  expect(often.noted).toStrictEqual([[SOME_INSTANT, 50_000]]);
  const seldom = setUp(0, { intervalMs: 10 * MINUTE_MS });
  await seldom.job.run(NEVER);
  expect(seldom.noted).toStrictEqual([[SOME_INSTANT, 10 * MINUTE_MS]]);
});
