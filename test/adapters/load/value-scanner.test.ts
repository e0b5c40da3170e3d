import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ValueScanner } from '#adapters/load/json/value-scanner.ts';

/** Scans a text in pieces. Gives the offset of its end, and the line breaks before that. */
function scanPieces(pieces: readonly string[]) {
  const scanner = new ValueScanner();
  let offset = 0;
  for (const piece of pieces) {
    const end = scanner.scan(Buffer.from(piece), 0);
    if (end !== -1) return { end: offset + end, newlines: scanner.newlines };
    offset += Buffer.byteLength(piece);
  }
  return { end: -1, newlines: scanner.newlines };
}

describe('the end of a value', () => {
  test.each([
    ['{}', ' ,', 0],
    ['{"a":[1,{"b":"}"}]}', ']', 0],
    ['[[],[[]]]', ',', 0],
    ['"a"', '"', 0],
    ['"a\\"b"', ':', 0],
    ['"\\\\"', '"', 0],
    ['"a{[]}b"', '}', 0],
    ['{\n"a":\n1}', '\n', 2],
    ['12.5e3', ',', 0],
    ['true', ']', 0],
    ['null', '\n', 0],
    ['nonsense', '}', 0],
    ['', ',', 0],
    ['', ']', 0],
  ])('is found in %j before %j', (value, after, newlines) => {
    expect(scanPieces([value + after])).toStrictEqual({ end: value.length, newlines });
  });

  test.each(['{', '{"a":"}', '[1', '"a\\', '"a\\"', '12'])('is not found in %j', (text) => {
    expect(scanPieces([text]).end).toBe(-1);
  });

  test('is found wherever the value is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.json({ depthSize: 'large' }).filter((json) => /^["[{]/.test(json)),
        fc.array(fc.nat()),
        (json, cuts) => {
          const text = `${json}, 1`;
          const places = cuts.map((cut) => cut % text.length).sort((a, b) => a - b);
          const pieces = [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
          expect(scanPieces(pieces).end).toBe(Buffer.byteLength(json));
        },
      ),
    );
  });

  test('can be the end of the bytes only for a number or a word', () => {
    const number = new ValueScanner();
    number.scan(Buffer.from('12'), 0);
    const text = new ValueScanner();
    text.scan(Buffer.from('"12'), 0);
    expect([number.canEndHere, text.canEndHere]).toStrictEqual([true, false]);
  });
});
