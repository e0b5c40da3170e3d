/** A replica as the looks at it show it: whether it is used, and how far it is behind. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  PrimaryTimeline,
  ReplicaLostError,
  toWalBytes,
} from '#adapters/postgres/reads/replicas/freshness.ts';
import { Replica } from '#adapters/postgres/reads/replicas/replica.ts';

const MAX_LAG_MS = 1_000;
const KEPT_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);

/** A replica whose primary and own position a test sets. */
function aReplica() {
  const timeline = new PrimaryTimeline(KEPT_MS);
  const changes: string[] = [];
  let answer: () => Promise<bigint | null> = async () => null;
  const replica = new Replica({
    name: 'replica:5432',
    ask: () => answer(),
    timeline,
    maxLagMs: MAX_LAG_MS,
    onChange: ({ isUsed, reason }) => changes.push(isUsed ? 'used' : (reason ?? '')),
  });
  return {
    replica,
    changes,
    primaryIsAt: (bytes: bigint) => timeline.note(bytes, performance.now()),
    lookAt: (bytes: bigint | null) => {
      answer = async () => bytes;
      return replica.look();
    },
    fail: (error: Error) => {
      answer = () => Promise.reject(error);
      return replica.look();
    },
  };
}

test('positions are numbers of 64 bits', () => {
  expect(toWalBytes('0/0')).toBe(0n);
  expect(toWalBytes('16/B374D848')).toBe(0x16b374d848n);
  expect(toWalBytes('FFFFFFFF/FFFFFFFF')).toBe(2n ** 64n - 1n);
});

test('where the primary was is forgotten once that is too long ago', () => {
  const timeline = new PrimaryTimeline(KEPT_MS);
  timeline.note(1n, 0);
  timeline.note(2n, 1_000);
  timeline.note(3n, KEPT_MS + 500);
  expect([1n, 2n, 3n, 4n].map((bytes) => timeline.completeUntil(bytes))).toStrictEqual([
    null,
    1_000,
    KEPT_MS + 500,
    KEPT_MS + 500,
  ]);
});

describe('a replica', () => {
  test('is not used before it was looked at, nor before the primary was', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    expect(replica.state).toStrictEqual({ name: 'replica:5432', isUsed: false, lagMs: null });
    await lookAt(5n);
    expect(replica.isUsed).toBe(false);
    primaryIsAt(5n);
    await lookAt(5n);
    expect(replica.state).toStrictEqual({ name: 'replica:5432', isUsed: true, lagMs: 0 });
    expect(changes).toStrictEqual(['used']);
  });

  test('does not lag where nothing happens', async () => {
    const { replica, lookAt, primaryIsAt } = aReplica();
    for (let second = 0; second < 10; second++) {
      primaryIsAt(5n);
      pass(MAX_LAG_MS);
      await lookAt(5n);
      expect(replica.state).toMatchObject({ isUsed: true, lagMs: 0 });
    }
  });

  test('lags since the primary was where it is', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(5n);
    pass(400);
    primaryIsAt(6n);
    pass(500);
    primaryIsAt(9n);
    await lookAt(7n);
    expect(replica.state).toMatchObject({ isUsed: true, lagMs: 500 });
    pass(501);
    expect(replica.isUsed).toBe(false);
    await lookAt(8n);
    expect(replica.state).toMatchObject({ isUsed: false, lagMs: 1_001 });
    await lookAt(9n);
    expect(changes).toStrictEqual(['used', 'it is 1001 ms behind', 'used']);
  });

  test('is of no use where the primary does not say where it is', async () => {
    const { replica, lookAt, primaryIsAt } = aReplica();
    primaryIsAt(5n);
    await lookAt(5n);
    pass(MAX_LAG_MS + 1);
    await lookAt(6n);
    expect(replica.isUsed).toBe(false);
  });

  test('that has come further than the primary follows another one, until it moves', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(8n);
    // It may have been that quick, before the primary was asked again.
    expect(replica.isUsed).toBe(true);
    pass(100);
    primaryIsAt(6n);
    await lookAt(8n);
    expect(replica.isUsed).toBe(false);
    pass(100);
    primaryIsAt(8n);
    await lookAt(8n);
    expect(replica.isUsed).toBe(false);
    await lookAt(9n);
    pass(100);
    primaryIsAt(9n);
    await lookAt(9n);
    expect(changes).toStrictEqual(['used', 'it has what the primary never had', 'used']);
  });

  test('is measured anew where another primary takes over that has not come as far', async () => {
    const { replica, lookAt, primaryIsAt } = aReplica();
    primaryIsAt(100n);
    await lookAt(100n);
    primaryIsAt(60n);
    await lookAt(50n);
    pass(MAX_LAG_MS + 1);
    primaryIsAt(60n);
    await lookAt(50n);
    expect(replica.isUsed).toBe(false);
    await lookAt(60n);
    expect(replica.isUsed).toBe(true);
  });

  test('that is no replica is not used', async () => {
    const { lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(null);
    await lookAt(null);
    expect(changes).toStrictEqual(['it is no replica, or no more']);
  });
});

describe('reads on a replica', () => {
  const forever = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });

  test('are given up when it does not answer a look', async () => {
    const { replica, fail, lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(5n);
    const reading = replica.run(undefined, forever);
    expect(replica.load).toBe(1);
    const [outcome] = await Promise.allSettled([reading, fail(new Error('no answer'))]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: new ReplicaLostError() });
    expect([replica.load, changes.at(-1)]).toStrictEqual([0, 'no answer']);
  });

  test('go on when another one has failed, and no other goes there before a good look', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(5n);
    const leaving = new AbortController();
    const reading = replica.run(leaving.signal, forever);
    replica.lose(new Error('cut'));
    expect(replica.isUsed).toBe(false);
    await lookAt(5n);
    expect(replica.isUsed).toBe(true);
    leaving.abort();
    await expect(reading).rejects.toThrow('given up');
    expect(changes).toStrictEqual(['used', 'cut', 'used']);
  });

  test('end with their caller, who may have gone before', async () => {
    const { replica } = aReplica();
    const seen = await replica.run(AbortSignal.abort(), async (signal) => signal.aborted);
    expect(seen).toBe(true);
  });
});
