const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts devices in the pieces of a file. The CSV header and line breaks within quotes do not count. */
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
