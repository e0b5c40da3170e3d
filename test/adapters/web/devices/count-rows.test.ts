/** How far an export has come, from its bytes. */
import { expect, test } from 'vitest';
import { makeRowCounter } from '#console/api/device-export.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('lines of NDJSON are devices, however they are cut', () => {
  const count = makeRowCounter('ndjson');
  expect(count(bytes('{"id":1}\n{"i'))).toBe(1);
  expect(count(bytes('d":2}\n'))).toBe(2);
});

test('the header of CSV and line breaks within quotes are none', () => {
  const count = makeRowCounter('csv');
  expect(count(bytes('hostname,tags\r\n'))).toBe(0);
  expect(count(bytes('a,"one\ntwo ""three'))).toBe(0);
  expect(count(bytes('"" \n"\r\nb,\r\n'))).toBe(2);
});
