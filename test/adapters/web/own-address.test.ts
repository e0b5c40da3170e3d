/** Addresses to return to: one that names another host is refused, however it is written. */
import { expect, test } from 'vitest';
import { isOwnAddress } from '#console/app/search-params.ts';

test.each([
  '/',
  '/account/delete',
  '/devices?q=status%3Aonline&org=1#top',
  '/filters/new?from=https://other.example',
  '/a//b\\c',
])('%j is an address of the console', (address) => {
  expect(isOwnAddress(address)).toBe(true);
});

test.each([
  '',
  'devices',
  'https://other.example/',
  'javascript:alert(1)',
  '//other.example',
  '/\\other.example',
  '\\\\other.example',
  '/\t/other.example',
  '/\n\\other.example',
  '\t//other.example',
  '/\r\n/\tother.example/devices',
  '//[',
])('%j is not an address of the console', (address) => {
  expect(isOwnAddress(address)).toBe(false);
});
