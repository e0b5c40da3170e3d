/** How the connections of an instance are divided among its pools (Contract: §15, DB_POOL). */

/** What connections are for: a pool each, so that nobody waits for what somebody else does. */
export type PoolName =
  | 'work'
  /** Finding out who asks: look-ups. */
  | 'identification'
  /** Signing in and refreshing sessions. */
  | 'sign-in'
  | 'evaluation'
  | 'search'
  /** Less than a millisecond each. */
  | 'look-up'
  | 'export'
  /** Loads, and the audit log. */
  | 'bulk'
  /** Single inventories: those of a fleet that is being loaded wait for the load, and for nobody else's. */
  | 'inventory';

export type PoolSizes = Readonly<Record<PoolName, number>>;

/** More than a few per core only make statements wait for each other. */
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

/** The pools of reads have one more each, on which statements are cancelled that nobody waits for. */
const CANCELLING: readonly PoolName[] = ['evaluation', 'search', 'look-up', 'export'];

/** With fewer, a pool would have none, or somebody's slow read would be everybody's. */
export const FEWEST_CONNECTIONS = PARTS_IN_ALL + CANCELLING.length;

export const DEFAULT_CONNECTIONS = 4 * PARTS_IN_ALL + CANCELLING.length;

/** Sizes that come to as many connections, at least `FEWEST_CONNECTIONS`, with those on which reads are cancelled. */
export function poolSizes(connections: number = DEFAULT_CONNECTIONS): PoolSizes {
  if (connections < FEWEST_CONNECTIONS) {
    throw new RangeError(`an instance needs at least ${FEWEST_CONNECTIONS} connections, not ${connections}`);
  }
  const toDivide = connections - CANCELLING.length;
  const names = Object.keys(PARTS) as PoolName[];
  const shareOf = (name: PoolName) => (toDivide * PARTS[name]) / PARTS_IN_ALL;
  const sizes = { ...PARTS, ...Object.fromEntries(names.map((name) => [name, Math.floor(shareOf(name))])) };
  // What is left over goes to those who lost most to rounding.
  const byLoss = names.toSorted((a, b) => (shareOf(b) % 1) - (shareOf(a) % 1));
  let left = toDivide - Object.values(sizes).reduce((sum, size) => sum + size, 0);
  for (const name of byLoss) if (left-- > 0) sizes[name]++;
  return sizes;
}
