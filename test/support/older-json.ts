/** `JSON.stringify` as before Node 25, when it was recursive. */
import { vi } from 'vitest';

/** Less than the usual stack bears, because it holds other calls, too. */
const DEEPEST = 1_000;

/** For the rest of the test, a value that is nested deeper causes a `RangeError`. */
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
