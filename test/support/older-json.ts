/** `JSON.stringify` as it is before Node 25, where it goes by recursion. */
import { vi } from 'vitest';

/** What the stack of a usual process bears; rather less, as others are on it. */
const DEEPEST = 1_000;

/** For the rest of the test, a value that is nested deeper is a `RangeError`. */
export function stringifyAsOlderNodes(): void {
  const { stringify } = JSON;
  if (vi.isMockFunction(stringify)) return;
  vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    if (isDeeper(given[0], DEEPEST)) throw new RangeError('Maximum call stack size exceeded');
    return stringify(...given);
  });
}

function isDeeper(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
