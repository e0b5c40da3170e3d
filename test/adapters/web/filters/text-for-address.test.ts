/** The way from a filter's count to what it counts. */
import { expect, test } from 'vitest';
import { textForAddress } from '#console/pages/filters/tree/draft-text.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const WINDOWS = { field: 'osType', operator: 'equals', value: 'windows' };
const all = (...conditions: readonly unknown[]) => ({ operator: 'AND', conditions });

test('is the filter as text', () => {
  expect(textForAddress(all(WINDOWS), CORE_CATALOG)).toBe('os:windows');
});

test('is none for conditions that text cannot express, and for those that are too long for an address', () => {
  expect(textForAddress(all({ ...WINDOWS, field: 'custom.gone' }), CORE_CATALOG)).toBeNull();
  const many = Array.from({ length: 500 }, () => WINDOWS);
  expect(textForAddress(all(...many), CORE_CATALOG)).toBeNull();
});
