/** Append only: instances of all versions share the numbers, and SQL in the schema repeats some. */
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

/** Arbitrary, to keep clear of other programs' advisory locks. */
const FIRST = 7_317_001;

export function lockNumber(name: LockName): number {
  return FIRST + LOCKS.indexOf(name);
}
