/** The link from a filter's count to the devices that it counts. */
import { expect, test } from 'vitest';
import { textForAddress } from '#console/pages/filters/tree/draft-text.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const WINDOWS = { field: 'osType', operator: 'equals', value: 'windows' };
const all = (...conditions: readonly unknown[]) => ({ operator: 'AND', conditions });

test('a filter is put into an address as text', () => {
  expect(textForAddress(all(WINDOWS), CORE_CATALOG)).toBe('os:windows');
});

test('conditions that text cannot express, or that are too long for an address, have no text', () => {
  expect(textForAddress(all({ ...WINDOWS, field: 'custom.gone' }), CORE_CATALOG)).toBeNull();
  const many = Array.from({ length: 500 }, () => WINDOWS);
  expect(textForAddress(all(...many), CORE_CATALOG)).toBeNull();
});
