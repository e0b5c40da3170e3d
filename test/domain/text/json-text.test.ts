/** JSON of values of any depth, also on a Node whose `JSON.stringify` overflows on deep values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '#domain/text/json-text.ts';
import { stringifyAsOlderNodes } from '#test/support/older-json.ts';

describe.each([
  ['this Node', () => undefined],
  ['Nodes before 25', stringifyAsOlderNodes],
])('jsonText on %s', (_, prepare) => {
  test('returns what JSON.stringify returns', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json);
        const expected = JSON.stringify(value);
        prepare();
        expect(jsonText(value)).toBe(expected);
        expect(jsonText({ deep: nested(3_000, value) })).toBe(
          `{"deep":${'['.repeat(3_000)}${expected}${']'.repeat(3_000)}}`,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('leaves out undefined members, and writes null for undefined elements', () => {
    prepare();
    const value = { a: undefined, b: [undefined, nested(3_000, {})], c: 1 };
    expect(jsonText(value)).toBe(`{"b":[null,${'['.repeat(3_000)}{}${']'.repeat(3_000)}],"c":1}`);
  });

  test('writes a million levels', () => {
    prepare();
    expect(jsonText(nested(1_000_000, 0))).toHaveLength(2_000_001);
  });

  test('throws a TypeError for a bigint, as JSON.stringify does', () => {
    prepare();
    expect(() => jsonText(1n)).toThrow(TypeError);
  });
});

function nested(depth: number, core: unknown): unknown {
  let value = core;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
