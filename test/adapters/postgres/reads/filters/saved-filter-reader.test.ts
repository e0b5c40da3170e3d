/** What the list of saved filters asks PostgreSQL for, and when. */
import { expect, test } from 'vitest';
import { makeSavedFilterReader } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { newId, orgScope } from '#test/support/builders.ts';

const KIB = 1024;
const SCOPE = orgScope(newId());

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** A reader over these filters in the order of a list, and the names of those whose conditions were read. */
function readerOf(stored: readonly Stored[]) {
  const asked: (readonly string[])[] = [];
  const at = new Date(0);
  const rowOf = ({ id, name, size }: Stored) => ({
    ...{ id, name, description: null, size, org_id: SCOPE, conditions: '{}', version: 1 },
    ...{ created_by: SCOPE, created_at: at, updated_at: at },
  });
  const read: ScopedReader['read'] = async ({ text, values }) => {
    if (!text.includes('f.conditions,')) {
      expect(text).not.toMatch(/f\.conditions(?!\) as size)/);
      const [, last] = values;
      return stored
        .slice(stored.findIndex(({ id }) => id === last) + 1)
        .slice(0, 500)
        .map(rowOf) as never;
    }
    const [ids] = values as [readonly string[]];
    const found = stored.filter(({ id }) => ids.includes(id));
    asked.push(found.map(({ name }) => name));
    return found.map(rowOf) as never;
  };
  return { filters: makeSavedFilterReader({ read } as ScopedReader), asked };
}

const stored = (sizes: readonly number[]): readonly Stored[] =>
  sizes.map((size, i) => ({ id: newId(), name: `filter ${i}`, size }));

test('conditions are read 256 KiB at a time, or one filter at a time if it is larger', async () => {
  const { filters, asked } = readerOf(stored([100, 100, 56, 1, 1024, 1024, 5, 5].map((size) => size * KIB)));
  const listed = await Array.fromAsync(filters.list(SCOPE));
  expect(listed.map(({ name }) => name)).toStrictEqual(listed.map((_, i) => `filter ${i}`));
  expect(asked).toStrictEqual([
    ['filter 0', 'filter 1', 'filter 2'],
    ['filter 3'],
    ['filter 4'],
    ['filter 5'],
    ['filter 6', 'filter 7'],
  ]);
});

test('conditions of filters that are not selected are not read', async () => {
  const { filters, asked } = readerOf(stored([1, 1, 1]));
  await Array.fromAsync(filters.list(SCOPE, ({ name }) => name === 'filter 1'));
  expect(asked).toStrictEqual([['filter 1']]);
});

test('conditions are not read before they are needed', async () => {
  const { filters, asked } = readerOf(stored([1024, 1024, 1024].map((size) => size * KIB)));
  for await (const { name } of filters.list(SCOPE)) {
    expect(asked.flat()).toStrictEqual(['filter 0']);
    expect(name).toBe('filter 0');
    break;
  }
});

test('every filter of several pages is read once', async () => {
  const all = stored(Array.from({ length: 1_100 }, () => 10));
  const { filters, asked } = readerOf(all);
  const listed = await Array.fromAsync(filters.list(SCOPE));
  expect(listed.map(({ id }) => id)).toStrictEqual(all.map(({ id }) => id));
  expect(asked.map(({ length }) => length)).toStrictEqual([500, 500, 100]);
});
