/** Closes a switch over a union: a new member fails to compile here instead of falling through. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
