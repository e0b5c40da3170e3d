import { expect, test } from 'vitest';
import { draftOfText, textOfConditions } from '#console/pages/filters/tree/draft-text.ts';
import { toJson } from '#console/pages/filters/tree/draft-tree.ts';
import { nameResolver, toCatalog } from '#console/parts/condition/listed-catalog.ts';

const ORG = '01a20146-3761-70a3-8118-b63b5b8966e9';

const catalog = toCatalog([
  {
    key: 'custom.room',
    label: 'Room',
    category: 'custom',
    type: 'enum',
    operators: ['equals', 'notEquals', 'in', 'notIn'],
    values: ['attic', 'cellar'],
  },
  { key: 'custom.floor', label: 'Floor', category: 'custom', operators: [] },
]);
const resolveName = nameResolver([{ id: ORG, name: 'Arden Manufacturing' }], [], []);

test('custom fields and names are read as the server reads them', () => {
  const read = draftOfText('org:"arden manufacturing" custom.room:attic', catalog, resolveName);
  expect(read.ok && toJson(read.value)).toStrictEqual({
    operator: 'AND',
    conditions: [
      { field: 'orgId', operator: 'equals', value: ORG },
      { field: 'custom.room', operator: 'equals', value: 'attic' },
    ],
  });
  expect(read.ok && textOfConditions(toJson(read.value), catalog)).toBe(`org:${ORG} custom.room:attic`);
});

test.each([
  ['custom.room:roof', 'No room "roof". Use attic, cellar.'],
  ['custom.floor:1', 'has different types in the organizations'],
  ['site:Elsewhere', 'Elsewhere'],
])('%s is refused as the server refuses it', (text, message) => {
  const read = draftOfText(text, catalog, resolveName);
  expect(read.ok ? [] : read.error.map((fault) => fault.message)).toStrictEqual([
    expect.stringContaining(message),
  ]);
});

test('conditions with a fault have no text', () => {
  const conditions = [{ field: 'custom.gone', operator: 'equals', value: 1 }];
  expect(textOfConditions({ operator: 'AND', conditions }, catalog)).toBeNull();
});
