import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_LENGTH, batchLines } from '#adapters/system/logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

/** Batches, and what the output was told in turn. */
function aLog() {
  const told: string[] = [];
  const batches = batchLines({
    write: (text) => told.push(text),
    flush: () => told.push('flush'),
  });
  return { batches, told };
}

describe('lines of a log', () => {
  test('are written together, ten times a second', () => {
    const { batches, told } = aLog();
    batches.write('one\n');
    batches.write('two\n');
    vi.advanceTimersByTime(99);
    expect(told).toStrictEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toStrictEqual(['one\ntwo\n', 'flush']);
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(2);
  });

  test('are given away as soon as they are many', () => {
    const { batches, told } = aLog();
    const line = `${'x'.repeat(999)}\n`;
    for (let i = 1; i < BATCH_LENGTH / line.length; i++) batches.write(line);
    expect(told).toStrictEqual([]);
    batches.write('the last one of them\n'.padEnd(line.length));
    expect(told.map((text) => text.length)).toStrictEqual([BATCH_LENGTH]);
    batches.write('next\n');
    vi.advanceTimersByTime(100);
    expect(told.slice(1)).toStrictEqual(['next\n', 'flush']);
  });

  test('are handed over once when the process ends', () => {
    const { batches, told } = aLog();
    batches.write('last words\n');
    batches.handOver();
    batches.handOver();
    expect(told).toStrictEqual(['last words\n']);
  });
});
