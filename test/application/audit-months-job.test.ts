/** The job that maintains the months of the audit log: when it prepares and drops them, and what it audits. */
import { expect, test } from 'vitest';
import { makeAuditMonthsJob } from '#application/audit/audit-months-job.ts';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';

const DAY_MS = 86_400_000;
const NEVER = { stopping: new AbortController().signal, aborting: new AbortController().signal };

function setUp(retentionDays: number | null, fail: () => boolean = () => false) {
  const { clock, moveTo } = movableClock();
  const prepared: number[] = [];
  const dropped: (readonly [before: number, entry: AuditEntry | null])[] = [];
  const logged: object[] = [];
  const job = makeAuditMonthsJob({
    archive: {
      prepareMonths: async (now) => {
        if (fail()) throw new Error('locked');
        prepared.push(now);
      },
      dropMonthsBefore: async (instant, makeEntry) => {
        dropped.push([instant, await makeEntry(['2025-01'])]);
        return ['2025-01'];
      },
    },
    retentionDays,
    makeSystemEntry: makeSystemEntryFactory({ clock, newId }),
    clock,
    log: {
      debug: () => undefined,
      info: (facts) => void logged.push(facts),
      warn: () => undefined,
      error: () => undefined,
    },
  });
  return { job, moveTo, prepared, dropped, logged };
}

test('without a retention period, no month is ever dropped', async () => {
  const { job, prepared, dropped } = setUp(null);
  await job.run(NEVER);
  expect([prepared, dropped]).toStrictEqual([[SOME_INSTANT], []]);
});

test('with a retention period, older months are dropped, and the system audits it', async () => {
  const { job, dropped, logged } = setUp(365);
  await job.run(NEVER);
  expect(dropped).toMatchObject([
    [
      SOME_INSTANT - 365 * DAY_MS,
      {
        actor: { type: 'system', id: null },
        action: 'audit.months_dropped',
        details: { months: ['2025-01'], retentionDays: 365 },
      },
    ],
  ]);
  expect(logged).toStrictEqual([{ months: ['2025-01'] }]);
});

test('the job runs at once after the clock has been set back, without waiting for it to catch up', async () => {
  const { job, moveTo, prepared } = setUp(null);
  await job.run(NEVER);
  moveTo(SOME_INSTANT - DAY_MS);
  await job.run(NEVER);
  expect(prepared).toStrictEqual([SOME_INSTANT, SOME_INSTANT - DAY_MS]);
});

test('the job runs once an hour, and again at once after a failure', async () => {
  let isLocked = true;
  const { job, moveTo, prepared } = setUp(null, () => isLocked);
  await expect(job.run(NEVER)).rejects.toThrow('locked');
  isLocked = false;
  await job.run(NEVER);
  moveTo(SOME_INSTANT + 3_599_999);
  await job.run(NEVER);
  moveTo(SOME_INSTANT + 3_600_000);
  await job.run(NEVER);
  expect(prepared).toStrictEqual([SOME_INSTANT, SOME_INSTANT + 3_600_000]);
});
