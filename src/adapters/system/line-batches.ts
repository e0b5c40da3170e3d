/** Lines of a log, joined before they are written: each write takes a thread. */

/** Where batches go. */
export interface BatchOutput {
  /** Takes text, which may be kept until a flush. */
  write(text: string): unknown;
  flush(): void;
}

export interface LineBatches {
  write(line: string): void;
  /** Gives what there is to the output, which may keep it. */
  handOver(): void;
}

/** Some fifty lines, in UTF-16 code units. */
export const BATCH_LENGTH = 16_000;

/** How often what there is goes out, in milliseconds. */
const FLUSH_EVERY_MS = 100;

/**
 * Gives the output its lines a batch at a time, and what there is ten times a second. The output would join them as well,
 * but look through all that it has for each line. Keeps no process running.
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
