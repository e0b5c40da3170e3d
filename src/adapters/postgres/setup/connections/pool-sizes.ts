/** Divides DB_POOL among the pools (Contract: §15). */

export type PoolName =
  | 'work'
  | 'identification'
  | 'sign-in'
  | 'evaluation'
  | 'search'
  | 'look-up'
  | 'export'
  /** Loads, upkeep and the audit log. */
  | 'bulk'
  | 'inventory';

export type PoolSizes = Readonly<Record<PoolName, number>>;

const PARTS: PoolSizes = {
  work: 2,
  identification: 1,
  'sign-in': 1,
  evaluation: 2,
  search: 2,
  'look-up': 1,
  export: 2,
  bulk: 2,
  inventory: 1,
};

const PARTS_IN_ALL = Object.values(PARTS).reduce((sum, part) => sum + part, 0);

/** Each of these pools has one more connection, which cancels abandoned statements. */
const CANCELLING: readonly PoolName[] = ['evaluation', 'search', 'look-up', 'export'];

/** With fewer, a pool would be empty, or one slow read would block all others. */
export const FEWEST_CONNECTIONS = PARTS_IN_ALL + CANCELLING.length;

/** With more than a few per core, statements only wait for each other. */
export const DEFAULT_CONNECTIONS = 4 * PARTS_IN_ALL + CANCELLING.length;

/**
 * `connections` must be at least `FEWEST_CONNECTIONS`. It includes connections that cancel statements; the
 * returned sizes do not.
 */
export function poolSizes(connections: number = DEFAULT_CONNECTIONS): PoolSizes {
  if (connections < FEWEST_CONNECTIONS) {
    throw new RangeError(`an instance needs at least ${FEWEST_CONNECTIONS} connections, not ${connections}`);
  }
  const toDivide = connections - CANCELLING.length;
  const names = Object.keys(PARTS) as PoolName[];
  const shareOf = (name: PoolName) => (toDivide * PARTS[name]) / PARTS_IN_ALL;
  const sizes = { ...PARTS, ...Object.fromEntries(names.map((name) => [name, Math.floor(shareOf(name))])) };
  const byLoss = names.toSorted((a, b) => (shareOf(b) % 1) - (shareOf(a) % 1));
  let left = toDivide - Object.values(sizes).reduce((sum, size) => sum + size, 0);
  for (const name of byLoss) if (left-- > 0) sizes[name]++;
  return sizes;
}
