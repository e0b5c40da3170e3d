import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadlines } from '#application/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Deadlines, and the names of those that were reached. */
function aWatch() {
  const deadlines = new Deadlines();
  const reached: string[] = [];
  return {
    deadlines,
    reached,
    in: (ms: number, name: string) => deadlines.set(performance.now() + ms, () => reached.push(name)),
  };
}

describe('deadlines', () => {
  test('are reached on time, in whatever order they were set', async () => {
    const watch = aWatch();
    watch.in(300, 'third');
    watch.in(100, 'first');
    watch.in(200, 'second');
    await vi.advanceTimersByTimeAsync(99);
    expect(watch.reached).toStrictEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(watch.reached).toStrictEqual(['first']);
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.reached).toStrictEqual(['first', 'second']);
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.reached).toStrictEqual(['first', 'second', 'third']);
    expect(watch.deadlines.pending).toBe(0);
  });

  test('are not reached once they are cleared, even if the timer was set for them', async () => {
    const watch = aWatch();
    const early = watch.in(10, 'early');
    watch.in(20, 'late');
    watch.deadlines.clear(early);
    await vi.advanceTimersByTimeAsync(15);
    expect(watch.reached).toStrictEqual([]);
    await vi.advanceTimersByTimeAsync(10);
    expect(watch.reached).toStrictEqual(['late']);
  });

  test('share one timer, however many there are', () => {
    const { deadlines } = aWatch();
    const set = Array.from({ length: 100 }, (_, i) => deadlines.set(performance.now() + 1_000 + i, () => {}));
    expect(vi.getTimerCount()).toBe(1);
    expect(deadlines.pending).toBe(100);
    for (const deadline of set) deadlines.clear(deadline);
    expect(deadlines.pending).toBe(0);
  });

  test('can clear each other and set new ones when reached together', async () => {
    const { deadlines, reached, in: setIn } = aWatch();
    const at = performance.now() + 10;
    deadlines.set(at, () => {
      reached.push('first');
      deadlines.clear(second);
      setIn(5, 'later');
    });
    const second = deadlines.set(at, () => reached.push('second'));
    await vi.advanceTimersByTimeAsync(10);
    expect(reached).toStrictEqual(['first']);
    await vi.advanceTimersByTimeAsync(5);
    expect(reached).toStrictEqual(['first', 'later']);
  });

  test('are reached at the next turn if they have already passed when set', async () => {
    const { reached, in: setIn } = aWatch();
    setIn(-5, 'past');
    expect(reached).toStrictEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(reached).toStrictEqual(['past']);
  });
});
