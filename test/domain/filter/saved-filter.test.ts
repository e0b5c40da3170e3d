/** Saved filters: their names, changes and order (Spec: Limits; Contract: §5). */
import { expect, test } from 'vitest';
import {
  compareNewestFirst,
  type FilterChange,
  matchesSearch,
  parseFilterDescription,
  parseFilterName,
  reviseFilter,
} from '#domain/filter/saved-filter.ts';
import { err, ok } from '#domain/result.ts';
import { aSavedFilter, newId, SOME_INSTANT } from '#test/support/builders.ts';

const aFilter = (given: Partial<Parameters<typeof aSavedFilter>[0]> = {}) =>
  aSavedFilter({ orgId: newId(), createdBy: newId(), ...given });

test.each([
  ['x', 'x'],
  ['  Online devices \n', 'Online devices'],
  ['\u00a0\u3000x\ufeff', 'x'],
  ['🖨'.repeat(200), '🖨'.repeat(200)],
  [` ${'x'.repeat(200)} `, 'x'.repeat(200)],
])('takes %j as a name', (given, name) => {
  expect(parseFilterName(given)).toStrictEqual(ok(name));
});

test.each([
  [undefined, 'name must be a string of 1 to 200 characters'],
  [null, 'name must be a string of 1 to 200 characters'],
  [5, 'name must be a string of 1 to 200 characters'],
  ['', 'name must have 1 to 200 characters after trimming; it has 0'],
  [' \t ', 'name must have 1 to 200 characters after trimming; it has 0'],
  ['\u0085\u3000', 'name must have 1 to 200 characters after trimming; it has 0'],
  ['🖨'.repeat(201), 'name must have 1 to 200 characters after trimming; it has 201'],
  ['a\u0000', 'name must not contain a NUL character (U+0000)'],
  ['a\ud83d', 'name must not contain an unpaired surrogate'],
])('refuses %j as a name', (given, reason) => {
  expect(parseFilterName(given)).toStrictEqual(err(reason));
});

test.each([
  [undefined, null],
  [null, null],
  ['', ''],
  ['  as typed  ', '  as typed  '],
  ['🖨'.repeat(1000), '🖨'.repeat(1000)],
])('takes %j as a description', (given, description) => {
  expect(parseFilterDescription(given)).toStrictEqual(ok(description));
});

test.each([
  [5, 'description must be a string of at most 1,000 characters, or null'],
  [['x'], 'description must be a string of at most 1,000 characters, or null'],
  ['🖨'.repeat(1001), 'description must have at most 1000 characters; it has 1001'],
  ['a\u0000', 'description must not contain a NUL character (U+0000)'],
  ['\udc00a', 'description must not contain an unpaired surrogate'],
])('refuses %j as a description', (given, reason) => {
  expect(parseFilterDescription(given)).toStrictEqual(err(reason));
});

const CHANGER = newId<'user'>();

test.each<[string, FilterChange]>([
  ['no fields', {}],
  ['the current values', { name: 'Online devices', description: null }],
])('a change with %s leaves the filter unchanged', (_what, change) => {
  const filter = aFilter();
  expect(reviseFilter(filter, change, CHANGER, SOME_INSTANT + 1)).toStrictEqual({ filter, changed: [] });
});

test('a change names the changed fields, and advances version and updatedAt', () => {
  const filter = aFilter({ description: 'old' });
  const change = { name: 'New', description: null, conditionsJson: '{}' };
  expect(reviseFilter(filter, change, CHANGER, SOME_INSTANT + 5)).toStrictEqual({
    filter: { ...filter, ...change, changedBy: CHANGER, version: 2, updatedAt: SOME_INSTANT + 5 },
    changed: ['name', 'description', 'conditions'],
  });
});

test('a change of one field names only that field', () => {
  const filter = aFilter({ description: 'old' });
  const { changed } = reviseFilter(
    filter,
    { name: filter.name, description: 'new' },
    CHANGER,
    SOME_INSTANT + 5,
  );
  expect(changed).toStrictEqual(['description']);
});

test.each([
  ['stands still', SOME_INSTANT],
  ['has stepped back', SOME_INSTANT - 1000],
])('updatedAt moves forward even if the clock %s', (_what, now) => {
  expect(reviseFilter(aFilter(), { name: 'New' }, CHANGER, now).filter.updatedAt).toBe(SOME_INSTANT + 1);
});

test('filters are ordered newest first, ties by id, descending', () => {
  const [one, two, three] = [aFilter(), aFilter(), aFilter({ createdAt: SOME_INSTANT - 1 })];
  expect([one, three, two, one].toSorted(compareNewestFirst)).toStrictEqual([two, one, one, three]);
});

test.each([
  ['', true],
  ['   ', true],
  ['laptop', true],
  [' LAPTOP ', true],
  ['100%', true],
  ['a_b', true],
  ['back\\slash', true],
  ['straße', true],
  ['a%b', false],
  ['axb', false],
  ['strasse', false],
  ['laptops in', false],
])('a search for %j finds it: %s', (search, isFound) => {
  const filter = aFilter({ name: '100% Laptops', description: 'a_b back\\slash Straße' });
  expect(matchesSearch(filter, search)).toBe(isFound);
});

test('a search does not match across name and description', () => {
  expect(matchesSearch(aFilter({ name: 'ab', description: 'cd' }), 'bc')).toBe(false);
});

test('a search in a filter without a description looks at the name alone', () => {
  expect(matchesSearch(aFilter({ name: 'ab', description: null }), 'null')).toBe(false);
});
