/** What is constant stays as it is, so that whatever was made of it stays right. */
import { expect, test } from 'vitest';
import { isConstant, makeConstant } from '#application/constant.ts';

test('freezes the value and everything in it', () => {
  const inner = { value: ['a', { deep: 1 }] };
  const outer = { list: [inner], nothing: null };
  makeConstant(outer);
  expect([outer, outer.list, inner, inner.value, inner.value[1]].every((one) => Object.isFrozen(one))).toBe(
    true,
  );
  expect([outer, inner, inner.value].every(isConstant)).toBe(true);
});

test.each([
  ['another object that looks the same', { a: 1 }],
  ['an object that is only frozen', Object.freeze({ a: 1 })],
  ['a text', 'a'],
  ['null', null],
  ['nothing', undefined],
])('does not take %s for constant', (_name, value) => {
  makeConstant({ a: 1 });
  expect(isConstant(value)).toBe(false);
});

test('takes any depth', () => {
  let nested: object = {};
  for (let i = 0; i < 100_000; i++) nested = { nested };
  makeConstant(nested);
  expect(isConstant(nested)).toBe(true);
});
