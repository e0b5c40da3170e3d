/** Addresses hold filters as people write them (Contract: §14). */
import { describe, expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '#console/app/search-params.ts';
import { parseDevicesSearch } from '#console/pages/search.ts';

describe('a filter in an address', () => {
  test.each([
    'status:online',
    'tags:"two words"',
    '"quoted"',
    '[1]',
    '{"a":1}',
    '42',
    '007',
    '1.50',
    'true',
    'null',
    'a&b=c+d%20',
    'größe',
  ])('%s comes back as it was', (q) => {
    expect(parseDevicesSearch(parseSearch(stringifySearch({ q })))).toStrictEqual({ q });
  });

  test('keeps quotes that are typed into the address', () => {
    expect(parseDevicesSearch(parseSearch('?q="two words"'))).toStrictEqual({ q: '"two words"' });
  });

  test('is absent if it is empty', () => {
    expect(parseDevicesSearch(parseSearch('?q=&sort='))).toStrictEqual({});
  });
});

test('whole numbers and truth values are read as such', () => {
  expect({ ...parseSearch('?offset=20&all=true') }).toStrictEqual({ offset: 20, all: true });
});
