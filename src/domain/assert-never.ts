/** Closes a switch over a union: a new member stops compiling here instead of falling through. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
