import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeSingleFlightCache, type SingleFlightCache } from '#adapters/auth/single-flight-cache.ts';

type Reading = PromiseWithResolvers<string | null> & { readonly key: string };

let nowMs: number;
let readings: Reading[];
let cache: SingleFlightCache<string, string | null>;

beforeEach(() => {
  nowMs = 1_000;
  readings = [];
  cache = makeSingleFlightCache<string, string | null>({
    read: (key) => {
      const reading = { key, ...Promise.withResolvers<string | null>() };
      readings.push(reading);
      return reading.promise;
    },
    monotonicMs: () => nowMs,
    maxFound: 2,
    maxAbsent: 2,
  });
});

/** An answer not older than 500 ms. */
function ask(key: string): Promise<string | null> {
  return cache(key, nowMs - 500);
}

/** Asks, and has the store answer at once. */
async function askAndAnswer(key: string, value: string | null): Promise<string | null> {
  const answer = ask(key);
  await Promise.resolve();
  readings.at(-1)?.resolve(value);
  return answer;
}

function keysRead(): readonly string[] {
  return readings.map(({ key }) => key);
}

test('a hundred callers who ask at once cost one reading', async () => {
  const answers = Promise.all(Array.from({ length: 100 }, () => ask('a')));
  await Promise.resolve();
  readings[0]?.resolve('A');
  expect(await answers).toStrictEqual(Array.from({ length: 100 }, () => 'A'));
  expect(keysRead()).toStrictEqual(['a']);
});

describe.each([
  ['an answer', 'A'],
  ['an absence', null],
])('%s', (_name, value) => {
  test('is kept as long as it is young enough', async () => {
    await askAndAnswer('a', value);
    nowMs += 499;
    expect(await ask('a')).toBe(value);
    expect(keysRead()).toStrictEqual(['a']);
  });

  test('is read again when it is too old', async () => {
    await askAndAnswer('a', value);
    nowMs += 500;
    expect(await askAndAnswer('a', 'B')).toBe('B');
    expect(keysRead()).toStrictEqual(['a', 'a']);
    expect(await ask('a')).toBe('B');
  });

  test('counts its age from the start of the reading', async () => {
    const answer = ask('a');
    await Promise.resolve();
    nowMs += 400;
    readings[0]?.resolve(value);
    expect(await answer).toBe(value);
    nowMs += 100;
    expect(await askAndAnswer('a', 'B')).toBe('B');
  });
});

test('an answer that turns into an absence is forgotten', async () => {
  await askAndAnswer('a', 'A');
  nowMs += 500;
  expect(await askAndAnswer('a', null)).toBe(null);
  nowMs += 100;
  expect(await ask('a')).toBe(null);
  expect(keysRead()).toStrictEqual(['a', 'a']);
});

test('a reading that began too long ago is not joined', async () => {
  const first = ask('a');
  await Promise.resolve();
  nowMs += 500;
  const second = ask('a');
  await Promise.resolve();
  readings[0]?.resolve('old');
  readings[1]?.resolve('new');
  expect(await Promise.all([first, second])).toStrictEqual(['old', 'new']);
});

test('a slow reading does not overwrite what a later one has brought', async () => {
  const first = ask('a');
  await Promise.resolve();
  nowMs += 500;
  await askAndAnswer('a', 'new');
  readings[0]?.resolve('old');
  expect(await first).toBe('old');
  expect(await ask('a')).toBe('new');
});

test('a later reading can still be joined when a slow one ends', async () => {
  const first = ask('a');
  await Promise.resolve();
  nowMs += 500;
  const second = ask('a');
  await Promise.resolve();
  readings[0]?.resolve('old');
  expect(await first).toBe('old');
  const third = ask('a');
  await Promise.resolve();
  readings[1]?.resolve('new');
  expect(await Promise.all([second, third])).toStrictEqual(['new', 'new']);
  expect(keysRead()).toStrictEqual(['a', 'a']);
});

test('the answer of a slow reading is not cached if a later reading has failed', async () => {
  const first = ask('a');
  await Promise.resolve();
  nowMs += 500;
  const second = ask('a');
  await Promise.resolve();
  readings[1]?.reject(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  readings[0]?.resolve('old');
  expect(await first).toBe('old');
  expect(await askAndAnswer('a', 'new')).toBe('new');
});

test('a caller may ask for an answer that is read after this moment', async () => {
  await askAndAnswer('a', 'A');
  const answer = cache('a', nowMs);
  await Promise.resolve();
  readings[1]?.resolve('B');
  expect(await answer).toBe('B');
});

test('a failure rejects for everybody who waits and is not kept', async () => {
  const answers = [ask('a'), ask('a')];
  await Promise.resolve();
  readings[0]?.reject(new Error('database down'));
  expect(await Promise.allSettled(answers)).toStrictEqual([
    { status: 'rejected', reason: new Error('database down') },
    { status: 'rejected', reason: new Error('database down') },
  ]);
  expect(await askAndAnswer('a', 'A')).toBe('A');
});

test('a reading that throws at once rejects, and is not kept', async () => {
  let calls = 0;
  const failing = makeSingleFlightCache<string, string>({
    read: () => {
      calls += 1;
      throw new Error('at once');
    },
    monotonicMs: () => nowMs,
    maxFound: 1,
    maxAbsent: 1,
  });
  await expect(failing('a', 0)).rejects.toThrow('at once');
  await expect(failing('a', 0)).rejects.toThrow('at once');
  expect(calls).toBe(2);
});

test('absent keys push no answer out of the cache', async () => {
  await askAndAnswer('good', 'A');
  for (let index = 0; index < 100; index += 1) await askAndAnswer(`garbage ${index}`, null);
  expect(await ask('good')).toBe('A');
  expect(readings.length).toBe(101);
});

test('the least recently used answers are dropped when there are too many', async () => {
  await askAndAnswer('a', 'A');
  await askAndAnswer('b', 'B');
  await ask('a');
  await askAndAnswer('c', 'C');
  await ask('a');
  await askAndAnswer('b', 'B');
  expect(keysRead()).toStrictEqual(['a', 'b', 'c', 'b']);
});

test('absences are dropped as well when there are too many', async () => {
  for (const key of ['a', 'b', 'c', 'a']) await askAndAnswer(key, null);
  expect(keysRead()).toStrictEqual(['a', 'b', 'c', 'a']);
});

test('large answers push out the oldest, and are not kept beyond all of the room', async () => {
  const read = vi.fn(async (key: string) => key);
  const bounded = makeSingleFlightCache<string, string>({
    ...{ read, monotonicMs: () => nowMs, maxFound: 100, maxAbsent: 2 },
    bytes: { max: 10, of: (value) => value.length },
  });
  for (const key of ['aaaa', 'bbbb', 'cccc', 'bbbb', 'aaaa', 'longer than the room', 'longer than the room'])
    await bounded(key, nowMs - 1);
  expect(read.mock.calls.flat()).toStrictEqual([
    ...['aaaa', 'bbbb', 'cccc', 'aaaa', 'longer than the room', 'longer than the room'],
  ]);
});
