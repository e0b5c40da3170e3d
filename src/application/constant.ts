/** JSON from outside that nobody can change any more, so that what was made of it can be remembered with it. */

const CONSTANTS = new WeakSet<object>();

/** Freezes the value and everything in it, however deep; it must be plain JSON. */
export function makeConstant(json: object): void {
  const open: object[] = [json];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    CONSTANTS.add(Object.freeze(value));
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
}

/** Whether the value went through `makeConstant`, alone or in another. */
export function isConstant(value: unknown): value is object {
  return typeof value === 'object' && value !== null && CONSTANTS.has(value);
}
