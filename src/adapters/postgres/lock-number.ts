/** New names go last: a name's position gives its number, which older instances and SQL in the schema also use. */
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

/** An arbitrary number, so that other programs' advisory locks are unlikely to collide. */
const FIRST = 7_317_001;

export function lockNumber(name: LockName): number {
  return FIRST + LOCKS.indexOf(name);
}
