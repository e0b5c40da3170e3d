/** The progress of an export, from its bytes. */
import { expect, test } from 'vitest';
import { makeRowCounter } from '#console/api/device-export.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('each line of NDJSON counts as a device, wherever the pieces are cut', () => {
  const count = makeRowCounter('ndjson');
  expect(count(bytes('{"id":1}\n{"i'))).toBe(1);
  expect(count(bytes('d":2}\n'))).toBe(2);
});

test('the CSV header and line breaks within quotes do not count', () => {
  const count = makeRowCounter('csv');
  expect(count(bytes('hostname,tags\r\n'))).toBe(0);
  expect(count(bytes('a,"one\ntwo ""three'))).toBe(0);
  expect(count(bytes('"" \n"\r\nb,\r\n'))).toBe(2);
});
