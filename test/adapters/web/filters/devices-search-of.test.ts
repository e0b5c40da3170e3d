/** The way from a filter's count to what it counts. */
import { expect, test } from 'vitest';
import { devicesSearchOf } from '#console/pages/filters/tree/draft-text.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const WINDOWS = { field: 'osType', operator: 'equals', value: 'windows' };
const all = (...conditions: readonly unknown[]) => ({ operator: 'AND', conditions });

test('is the filter as text, in its organization', () => {
  expect(devicesSearchOf(all(WINDOWS), CORE_CATALOG, 'an-id')).toStrictEqual({
    q: 'os:windows',
    org: 'an-id',
  });
  expect(devicesSearchOf(all(WINDOWS), CORE_CATALOG, null)).toStrictEqual({ q: 'os:windows' });
});

test('is none for conditions that text cannot say, and for those that are too long for an address', () => {
  expect(devicesSearchOf(all({ ...WINDOWS, field: 'custom.gone' }), CORE_CATALOG, null)).toBeNull();
  const many = Array.from({ length: 500 }, () => WINDOWS);
  expect(devicesSearchOf(all(...many), CORE_CATALOG, null)).toBeNull();
});
