/** Texts with the same JSON value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson } from '#domain/text/json-text.ts';

/** The same value, with the members of every object in the opposite order. */
const reversed = (json: string): string =>
  JSON.stringify(
    JSON.parse(json, (_name, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ),
  );

test('members may stand in any order', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (json) => {
      const text = JSON.stringify(JSON.parse(json));
      expect(isSameJson(text, reversed(text))).toBe(true);
    }),
  );
});

test.each([
  ['elements in another order', '["a","b"]', '["b","a"]'],
  ['another value', '{"a":1,"b":2}', '{"b":1,"a":2}'],
  ['another name', '{"a":1,"b":2}', '{"a":1,"c":2}'],
  ['a text and a number', '["1",22]', '[1,"22"]'],
  ['null and a text', '[null,"a"]', '["nul",1]'],
  ['a member that every object inherits', '{"toString":1,"a":{}}', '{"aToStrng":1,"b":{}}'],
  ['a list and an object', '[[],{"a":1}]', '[{},{"a":1}]'],
  ['a list and an object of its indices', '[["a"],"0:"]', '[{"0":"a"},1]'],
  ['a longer object', '{"a":1}', '{"a":1,"b":2}'],
])('%s is not the same', (_what, one, other) => {
  expect([isSameJson(one, other), isSameJson(other, one)]).toStrictEqual([false, false]);
});

test('texts of thirty thousand levels are compared', () => {
  const nest = (inmost: string) => `${'{"a":['.repeat(30_000)}${inmost}${']}'.repeat(30_000)}`;
  expect(isSameJson(nest('{"b":1,"c":2}'), nest('{"c":2,"b":1}'))).toBe(true);
  expect(isSameJson(nest('{"b":1,"c":2}'), nest('{"c":1,"b":2}'))).toBe(false);
});
