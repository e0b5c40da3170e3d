import { expect, test } from 'vitest';
import { makeWatchedFiltersState } from '#application/live/watched-filters-state.ts';

test('watched filters are late once a mark has waited for more than a minute', async () => {
  let now = 0;
  let read: () => Promise<number> = async () => 60_000;
  const idle = { queuedMails: 0, oldestMailQueuedAt: null, dueDeletions: 0, overdueDeletions: 0 };
  const rest = { ...idle, membershipMarks: 1, dueTimers: 0, membershipChanges: 0 };
  const state = makeWatchedFiltersState({
    readBacklog: async () => ({ ...rest, oldestMarkAge: await read() }),
    clock: () => now,
  });
  expect(state()).toBe('unknown');
  await expect.poll(state).toBe('current');
  read = async () => 60_001;
  expect(state()).toBe('current');
  now += 10_000;
  await expect.poll(state).toBe('late');
  read = () => Promise.reject(new Error('database gone'));
  now += 10_000;
  await expect.poll(state).toBe('unknown');
});
