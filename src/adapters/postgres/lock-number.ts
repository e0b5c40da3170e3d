/** In the order of their numbers, which instances of all versions share: append only. SQL of the schema has its number. */
const LOCKS = [
  'provision',
  'signing-keys',
  'loads',
  'audit-months',
  'search-blocks',
  'titles-of-loads',
  'memberships',
  'live-news',
] as const;

export type LockName = (typeof LOCKS)[number];

/** Arbitrary; keeps clear of other programs' locks in the database. */
const FIRST = 7_317_001;

/** The number of an advisory lock. */
export function lockNumber(name: LockName): number {
  return FIRST + LOCKS.indexOf(name);
}
