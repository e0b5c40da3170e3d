/** The jobs of watched filters: which partners they evaluate, and which changes they forget. */
import { expect, test } from 'vitest';
import { makeMembershipsJob, makeOldChangesJob } from '#application/live/membership-jobs.ts';
import type { PartnerId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';

const aborting = new AbortController().signal;
const NEVER = { stopping: aborting, aborting };

function setUp(fails: (partnerId: PartnerId) => boolean = () => false) {
  const { clock, moveTo } = movableClock();
  const partners = Array.from({ length: 6 }, () => newId<'partner'>());
  const evaluated: PartnerId[] = [];
  const job = makeMembershipsJob({
    memberships: { waiting: async () => partners, listen: () => () => undefined },
    evaluate: async (partnerId) => {
      evaluated.push(partnerId);
      if (fails(partnerId)) throw new Error('broken');
      return true;
    },
    clock,
  });
  return { job, moveTo, partners, evaluated };
}

test('the job evaluates the partners that wait', async () => {
  const { job, partners, evaluated } = setUp();
  await job.run(NEVER);
  expect(evaluated.toSorted()).toStrictEqual(partners.toSorted());
});

test('a partner that fails does not hold up the others, and is evaluated again ten seconds later', async () => {
  const { job, moveTo, partners, evaluated } = setUp((partnerId) => partnerId === evaluated[0]);
  const others = partners.slice(1);
  await expect(job.run(NEVER)).rejects.toThrow('broken');
  expect(evaluated.toSorted()).toStrictEqual(partners.toSorted());
  await job.run(NEVER);
  expect(evaluated.slice(6).toSorted()).toStrictEqual(others.toSorted());
  moveTo(SOME_INSTANT + 10_000);
  await expect(job.run(NEVER)).rejects.toThrow('broken');
  expect(evaluated.slice(11).toSorted()).toStrictEqual(partners.toSorted());
});

test('no other partner is evaluated once the job is told to stop', async () => {
  const stop = new AbortController();
  const { job, evaluated } = setUp(() => {
    stop.abort();
    return false;
  });
  await job.run({ stopping: stop.signal, aborting });
  expect(evaluated).toHaveLength(1);
});

test('changes that are too old or too many are forgotten every ten minutes', async () => {
  const { clock, moveTo } = movableClock();
  const forgotten: (readonly [EpochMs, number])[] = [];
  const job = makeOldChangesJob({
    memberships: { forget: async (keptFrom, keptCount) => forgotten.push([keptFrom, keptCount]) },
    ...{ retentionDays: 30, retentionCount: 7, clock },
  });
  for (const minutes of [0, 9, 10]) {
    moveTo(SOME_INSTANT + minutes * 60_000);
    await job.run(NEVER);
  }
  expect(forgotten).toStrictEqual([
    [SOME_INSTANT - 30 * DAY_MS, 7],
    [SOME_INSTANT + 600_000 - 30 * DAY_MS, 7],
  ]);
});
