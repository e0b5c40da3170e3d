/** How many devices have come of a file that is still on its way. */

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the devices in pieces of a file: its lines, but for the header and for line breaks within quotes of CSV. */
export function makeRowCounter(format: 'csv' | 'ndjson'): (piece: Uint8Array) => number {
  let lines = format === 'csv' ? -1 : 0;
  let isQuoted = false;
  return (piece) => {
    for (const byte of piece) {
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) lines++;
    }
    return Math.max(lines, 0);
  };
}
