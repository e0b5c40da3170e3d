/** Only append: instances of all versions share the numbers, and SQL in the schema contains some of them. */
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

/** An arbitrary number, far from other programs' advisory locks. */
const FIRST = 7_317_001;

export function lockNumber(name: LockName): number {
  return FIRST + LOCKS.indexOf(name);
}
