/** Cursors that only their maker can open, and only for the use they were made for. */
import { describe, expect, test } from 'vitest';
import { makeCursorSigner } from '#adapters/auth/cursor-signer.ts';

const KEY = 'k'.repeat(43);
const signer = makeCursorSigner(KEY);
const TEXT = JSON.stringify([1, 'Büro 🖨', null]);

describe('a cursor', () => {
  test('opens for the use it was sealed for, in any instance with the same key', () => {
    const cursor = signer.seal(TEXT, 'the list');
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(makeCursorSigner(KEY).open(cursor, 'the list')).toBe(TEXT);
  });

  test('may be empty', () => {
    expect(signer.open(signer.seal('', ''), '')).toBe('');
  });

  test('does not open for another use, even if text and use joined are the same', () => {
    expect(signer.open(signer.seal(TEXT, 'the list'), 'another')).toBe(null);
    expect(signer.open(signer.seal('bc', 'a'), 'ab')).toBe(null);
    expect(signer.open(signer.seal('c', 'ab'), 'a')).toBe(null);
  });

  test('does not open with another key', () => {
    expect(makeCursorSigner('K'.repeat(43)).open(signer.seal(TEXT, 'x'), 'x')).toBe(null);
  });

  test('does not open with any one character changed, added or taken away', () => {
    const cursor = signer.seal(TEXT, 'x');
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === 'A' ? 'B' : 'A';
      expect(signer.open(`${cursor.slice(0, i)}${other}${cursor.slice(i + 1)}`, 'x')).toBe(null);
      expect(signer.open(cursor.slice(0, i), 'x')).toBe(null);
      expect(signer.open(`${cursor.slice(0, i)} ${cursor.slice(i)}`, 'x')).toBe(null);
    }
    for (const end of ['=', 'A', '\n', '%']) expect(signer.open(`${cursor}${end}`, 'x')).toBe(null);
  });

  test.each(['', 'AAAA', '🖨', 'null', '{}', 'A'.repeat(100_000)])('%.10s does not open', (cursor) => {
    expect(signer.open(cursor, 'x')).toBe(null);
  });
});
