import { expect, test } from 'vitest';
import { makeConcurrencyLimit, QueueFullError } from '#adapters/auth/concurrency-limit.ts';

/** Tasks that end when the test says so. */
function makeTasks(count: number) {
  const started: number[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<string>());
  const tasks = gates.map((gate, index) => () => {
    started.push(index);
    return gate.promise;
  });
  return { started, gates, tasks };
}

/** Lets everything that can go on without a gate go on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('only so many tasks run at once, and the others start in the order they came', async () => {
  const { started, gates, tasks } = makeTasks(5);
  const limit = makeConcurrencyLimit(2);
  const results = Promise.all(tasks.map((task) => limit(task)));
  await settle();
  expect(started).toStrictEqual([0, 1]);

  gates[1]?.resolve('b');
  await settle();
  expect(started).toStrictEqual([0, 1, 2]);

  gates[0]?.resolve('a');
  gates[2]?.resolve('c');
  await settle();
  expect(started).toStrictEqual([0, 1, 2, 3, 4]);

  gates[3]?.resolve('d');
  gates[4]?.resolve('e');
  expect(await results).toStrictEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a newcomer does not slip in where a place went to one who waited', async () => {
  const { started, gates, tasks } = makeTasks(3);
  const limit = makeConcurrencyLimit(1);
  const results = tasks.slice(0, 2).map((task) => limit(task));
  gates[0]?.resolve('a');
  await settle();
  results.push(...tasks.slice(2).map((task) => limit(task)));
  await settle();
  expect(started).toStrictEqual([0, 1]);
  gates[1]?.resolve('b');
  gates[2]?.resolve('c');
  expect(await Promise.all(results)).toStrictEqual(['a', 'b', 'c']);
});

test('a task that fails gives up its place', async () => {
  const { started, gates, tasks } = makeTasks(2);
  const limit = makeConcurrencyLimit(1);
  const [first, second] = tasks.map((task) => limit(task));
  gates[0]?.reject(new Error('no memory'));
  await expect(first).rejects.toThrow('no memory');
  gates[1]?.resolve('done');
  expect(await second).toBe('done');
  expect(started).toStrictEqual([0, 1]);
});

test('a task that throws before it starts gives up its place', async () => {
  const limit = makeConcurrencyLimit(1);
  await expect(
    limit(() => {
      throw new Error('at once');
    }),
  ).rejects.toThrow('at once');
  expect(await limit(async () => 'next')).toBe('next');
});

test('places are free again after all have ended', async () => {
  const { started, gates, tasks } = makeTasks(3);
  const limit = makeConcurrencyLimit(2);
  await limit(async () => 'before');
  await limit(async () => 'before');
  for (const task of tasks) void limit(task);
  await settle();
  expect(started).toStrictEqual([0, 1]);
  for (const gate of gates) gate.resolve('');
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', (max) => {
  expect(() => makeConcurrencyLimit(max)).toThrow(RangeError);
});

test('whoever finds a full line is turned away, and the line goes on', async () => {
  const { started, gates, tasks } = makeTasks(4);
  const limit = makeConcurrencyLimit(1, 2);
  const results = tasks.map((task) => limit(task));
  await expect(results[3]).rejects.toThrow(QueueFullError);
  for (const [i, gate] of gates.entries()) gate.resolve(`${i}`);
  expect(await Promise.all(results.slice(0, 3))).toStrictEqual(['0', '1', '2']);
  expect(started).toStrictEqual([0, 1, 2]);
});
