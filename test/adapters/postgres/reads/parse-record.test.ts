import { expect, test } from 'vitest';
import { parseRecord } from '#adapters/postgres/reads/parse-record.ts';

const parse = (record: string, count: number) =>
  parseRecord(
    record,
    Array.from({ length: count }, (_, i) => (text: string | null) => [i, text]),
  ).map(([, text]) => text);

test.each<[string, readonly (string | null)[]]>([
  ['()', [null]],
  ['(a)', ['a']],
  ['("")', ['']],
  ['(,)', [null, null]],
  ['(a,,b)', ['a', null, 'b']],
  ['("a b",c,)', ['a b', 'c', null]],
  ['(,"a,b")', [null, 'a,b']],
  ['("""","\\\\","a""\\\\""b")', ['"', '\\', 'a"\\"b']],
  ['("(",")",")(")', ['(', ')', ')(']],
  ['("\n","\t")', ['\n', '\t']],
])('reads %j', (record, texts) => {
  expect(parse(record, texts.length)).toStrictEqual(texts);
});

test.each([
  ['(a,b)', 1],
  ['(a)', 2],
  ['("a",b)', 1],
])('refuses %j for %i columns', (record, count) => {
  expect(() => parse(record, count)).toThrow('columns');
});
