/** Merges sorted runs lazily, with a few comparisons for each item taken. */
export function mergeRuns<Item>(
  runs: readonly (readonly Item[])[],
  compare: (a: Item, b: Item) => number,
): Iterator<Item, undefined> {
  let level: Iterator<Item, undefined>[] = runs.map((run) => iterate(run));
  while (level.length > 1) {
    const next: Iterator<Item, undefined>[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left !== undefined) next.push(right === undefined ? left : mergeTwo(left, right, compare));
    }
    level = next;
  }
  return level[0] ?? iterate([]);
}

function* iterate<Item>(items: readonly Item[]): Generator<Item, undefined> {
  yield* items;
}

function* mergeTwo<Item>(
  left: Iterator<Item, undefined>,
  right: Iterator<Item, undefined>,
  compare: (a: Item, b: Item) => number,
): Generator<Item, undefined> {
  let [a, b] = [left.next(), right.next()];
  while (!a.done || !b.done) {
    if (!a.done && (b.done || compare(a.value, b.value) <= 0)) {
      yield a.value;
      a = left.next();
    } else if (!b.done) {
      yield b.value;
      b = right.next();
    }
  }
}
