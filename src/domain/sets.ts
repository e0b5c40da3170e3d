/** The domain also runs on Node 20, whose sets lack these operations. */

export function intersect<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> {
  const [larger, smaller] = a.size < b.size ? [b, a] : [a, b];
  const shared = new Set<T>();
  for (const value of smaller) if (larger.has(value)) shared.add(value);
  return shared;
}

export function subtract<T>(from: ReadonlySet<T>, values: ReadonlySet<T>): Set<T> {
  const rest = new Set<T>();
  for (const value of from) if (!values.has(value)) rest.add(value);
  return rest;
}

export function isSubset<T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean {
  if (part.size > whole.size) return false;
  for (const value of part) if (!whole.has(value)) return false;
  return true;
}
