/**
 * Bounds what parsing creates. JSON of a few bytes per value takes thirty times its size in memory, and Node 26 ends
 * the whole process when a thread runs out, whatever its `resourceLimits`.
 */

/** An inventory with 3,000 programs has some 40,000. */
export const MAX_MEMBERS = 500_000;

/** An upper bound: separators inside texts count as well. */
export function hasTooManyMembers(bytes: Uint8Array): boolean {
  // Each member follows a byte that opens or separates.
  if (bytes.byteLength <= MAX_MEMBERS) return false;
  let count = 0;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  return count > MAX_MEMBERS;
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
