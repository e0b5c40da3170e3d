/** Chords and single keys (Spec: Web client behaviors; Contract: §14). */
import { describe, expect, test } from 'vitest';
import { CHORD_MS, type KeyBinding, makeChordReader } from '#console/keys/chords.ts';

function binding(keys: string): KeyBinding {
  return { keys, run: () => undefined };
}

const BINDINGS = ['g h', 'g d', '/', 'h', 'mod+k'].map(binding);

/** The bindings that these presses complete; times in milliseconds. */
function read(presses: readonly (readonly [name: string, at: number])[]): readonly (string | null)[] {
  const reader = makeChordReader();
  return presses.map(([name, at]) => reader.read(name, at, BINDINGS)?.keys ?? null);
}

describe('a chord', () => {
  test('is its two keys within a second', () => {
    const presses = [
      ['g', 0],
      ['d', CHORD_MS],
    ] as const;
    expect(read(presses)).toStrictEqual([null, 'g d']);
  });

  test('wins over a single key that is its second', () => {
    const presses = [
      ['g', 0],
      ['h', 10],
      ['h', 20],
    ] as const;
    expect(read(presses)).toStrictEqual([null, 'g h', 'h']);
  });

  test('is forgotten after a second', () => {
    const presses = [
      ['g', 0],
      ['d', CHORD_MS + 1],
    ] as const;
    expect(read(presses)).toStrictEqual([null, null]);
  });

  test('ends at any other key, which then counts by itself', () => {
    const presses = [
      ['g', 0],
      ['/', 10],
      ['d', 20],
    ] as const;
    expect(read(presses)).toStrictEqual([null, '/', null]);
  });

  test('starts over when its first key is pressed again', () => {
    const presses = [
      ['g', 0],
      ['g', 900],
      ['d', 1_800],
    ] as const;
    expect(read(presses)).toStrictEqual([null, null, 'g d']);
  });

  test('is forgotten when the window loses the focus', () => {
    const reader = makeChordReader();
    reader.read('g', 0, BINDINGS);
    reader.forget();
    expect(reader.read('d', 10, BINDINGS)).toBeNull();
  });
});

test("the page's binding wins over another with the same keys", () => {
  const ofPage = binding('/');
  expect(makeChordReader().read('/', 0, [ofPage, ...BINDINGS])).toBe(ofPage);
});
