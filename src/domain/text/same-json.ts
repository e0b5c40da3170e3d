/** Whether two texts say the same in JSON, whatever their depth; it walks with a stack of its own. */

/** Texts as `JSON.stringify` writes them. The members of an object may stand in any order, elements may not. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  // With other members first, it is as long.
  return one.length === other.length && isSameValue(JSON.parse(one), JSON.parse(other));
}

function isSameValue(one: unknown, other: unknown): boolean {
  const left: [unknown, unknown][] = [[one, other]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      left.push([a[name], b[name]]);
    }
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
