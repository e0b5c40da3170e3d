/** Whether a replica is used and how far it is behind, as the looks at it show. */
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

test('positions are 64-bit numbers', () => {
  expect(toWalBytes('0/0')).toBe(0n);
  expect(toWalBytes('16/B374D848')).toBe(0x16b374d848n);
  expect(toWalBytes('FFFFFFFF/FFFFFFFF')).toBe(2n ** 64n - 1n);
});

test('old positions of the primary are forgotten', () => {
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
  test('is not used before both it and the primary were looked at', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    expect(replica.state).toStrictEqual({ name: 'replica:5432', isUsed: false, lagMs: null });
    await lookAt(5n);
    expect(replica.isUsed).toBe(false);
    primaryIsAt(5n);
    await lookAt(5n);
    expect(replica.state).toStrictEqual({ name: 'replica:5432', isUsed: true, lagMs: 0 });
    expect(changes).toStrictEqual(['used']);
  });

  test('does not lag while nothing happens', async () => {
    const { replica, lookAt, primaryIsAt } = aReplica();
    for (let second = 0; second < 10; second++) {
      primaryIsAt(5n);
      pass(MAX_LAG_MS);
      await lookAt(5n);
      expect(replica.state).toMatchObject({ isUsed: true, lagMs: 0 });
    }
  });

  test('lags by the time since the primary was at its position', async () => {
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

  test('is not used if the primary does not report its position', async () => {
    const { replica, lookAt, primaryIsAt } = aReplica();
    primaryIsAt(5n);
    await lookAt(5n);
    pass(MAX_LAG_MS + 1);
    await lookAt(6n);
    expect(replica.isUsed).toBe(false);
  });

  test('is not used while it stays ahead of the primary, as it then follows another one', async () => {
    const { replica, lookAt, primaryIsAt, changes } = aReplica();
    primaryIsAt(5n);
    await lookAt(8n);
    // It may be ahead only because the primary was asked earlier.
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

  test('is measured anew after another primary takes over at an earlier position', async () => {
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

  test('is not used if the server is no replica', async () => {
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

  test('continue when another read fails, but no new one starts before a good look', async () => {
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

  test('are aborted with their caller, even if the caller has already left', async () => {
    const { replica } = aReplica();
    const seen = await replica.run(AbortSignal.abort(), async (signal) => signal.aborted);
    expect(seen).toBe(true);
  });
});
