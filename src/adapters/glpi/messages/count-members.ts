/**
 * Bounds what parsing a document makes of it. JSON of a few bytes a value takes thirty times its size in memory, and
 * Node 26 ends the whole process where a thread runs out of it, whatever its `resourceLimits` say.
 */

/** An inventory of a machine with 3,000 programs has some 40,000. */
export const MAX_MEMBERS = 500_000;

/** Whether the document may have more than `MAX_MEMBERS`: an upper bound, as texts are counted like the rest. */
export function hasTooManyMembers(bytes: Uint8Array): boolean {
  // Each has a byte before it that begins or separates.
  if (bytes.byteLength <= MAX_MEMBERS) return false;
  let count = 0;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  return count > MAX_MEMBERS;
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
