/** Long work on the event loop is done in turn, with rests for everybody else. */
import { expect, test } from 'vitest';
import { makeLongWork } from '#adapters/http/read/long-work.ts';

/** A clock that work moves, and rests that end when the test says so. */
function start() {
  const log: string[] = [];
  const resting: (() => void)[] = [];
  let now = 1_000;
  const inLongTurn = makeLongWork({
    now: () => now,
    rest: (ms) => {
      log.push(`rest of ${ms}`);
      return new Promise<void>((resolve) => resting.push(resolve));
    },
  });
  const piece = (name: string, ms: number) => () => {
    now += ms;
    log.push(name);
    return name;
  };
  /** Ends the rest, and lets everything that waits for it continue. */
  const endRest = async () => {
    resting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, inLongTurn, piece, endRest };
}

test('a piece is done at once, and the next after a rest of five times as long', async () => {
  const { log, inLongTurn, piece, endRest } = start();
  const results = Promise.all([
    inLongTurn(piece('a', 20)),
    inLongTurn(piece('b', 1)),
    inLongTurn(piece('c', 3)),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toStrictEqual(['a', 'rest of 100']);
  await endRest();
  expect(log).toStrictEqual(['a', 'rest of 100', 'b', 'rest of 5']);
  await endRest();
  expect(await results).toStrictEqual(['a', 'b', 'c']);
});

test('a piece that fails does not block the next one', async () => {
  const { log, inLongTurn, piece, endRest } = start();
  const failing = inLongTurn(() => {
    throw new Error('no JSON');
  });
  await expect(failing).rejects.toThrow('no JSON');
  const next = inLongTurn(piece('next', 2));
  await endRest();
  expect(await next).toBe('next');
  expect(log).toStrictEqual(['rest of 0', 'next', 'rest of 10']);
});
