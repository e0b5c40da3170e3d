/** Joins log lines before writing, because each write uses a thread. */

export interface BatchOutput {
  /** May keep the text until a flush. */
  write(text: string): unknown;
  flush(): void;
}

export interface LineBatches {
  write(line: string): void;
  /** Passes waiting lines to the output. */
  handOver(): void;
}

/** Some fifty lines, in UTF-16 code units. */
export const BATCH_LENGTH = 16_000;

/** Milliseconds. */
const FLUSH_EVERY_MS = 100;

/**
 * Passes lines on in batches, at least ten times a second. The output would join them as well, but scans its whole
 * buffer for each line. Does not keep the process alive.
 */
export function batchLines(output: BatchOutput): LineBatches {
  let lines: string[] = [];
  let length = 0;
  const handOver = () => {
    if (lines.length === 0) return;
    const batch = lines.join('');
    lines = [];
    length = 0;
    output.write(batch);
  };
  const flush = () => {
    if (lines.length === 0) return;
    handOver();
    output.flush();
  };
  setInterval(flush, FLUSH_EVERY_MS).unref();
  return {
    write: (line) => {
      lines.push(line);
      length += line.length;
      if (length >= BATCH_LENGTH) handOver();
    },
    handOver,
  };
}
