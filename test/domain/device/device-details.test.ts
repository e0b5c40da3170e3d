/** The custom fields that a device shows, and their values (Contract: §10, `custom`; §4, values that do not fit). */
import { expect, test } from 'vitest';
import type { CustomValue } from '#domain/device/device.ts';
import { customFieldsOf } from '#domain/device/device-row.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { newId } from '#test/support/builders.ts';

const ORG = newId<'organization'>();
const OTHER = newId<'organization'>();

function definition(
  key: string,
  type: CustomFieldDefinition['type'],
  given: Partial<CustomFieldDefinition> = {},
): CustomFieldDefinition {
  return { key, label: `The ${key}`, type, choices: [], owner: 'organization', orgIds: [ORG], ...given };
}

/** The values by key. */
function shown(custom: Readonly<Record<string, CustomValue>>, definitions: readonly CustomFieldDefinition[]) {
  const fields = customFieldsOf({ orgId: ORG, custom: new Map(Object.entries(custom)) }, definitions);
  return fields.map(({ key, value }) => [key, value]);
}

test('a device shows the fields defined in its organization, by key, with name and type', () => {
  const definitions = [
    definition('rack', 'text'),
    definition('age', 'number', { owner: 'partner', orgIds: [OTHER, ORG] }),
    definition('foreign', 'text', { orgIds: [OTHER] }),
  ];
  const custom = new Map<string, CustomValue>([
    ['rack', 'R7'],
    ['foreign', 'x'],
    ['undefined', 'y'],
  ]);
  expect(customFieldsOf({ orgId: ORG, custom }, definitions)).toStrictEqual([
    { key: 'age', name: 'The age', type: 'number', value: null },
    { key: 'rack', name: 'The rack', type: 'text', value: 'R7' },
  ]);
});

test.each<[CustomFieldDefinition['type'], CustomValue, CustomValue]>([
  ['text', '', ''],
  ['text', 1, null],
  ['number', 0, 0],
  ['number', '1', null],
  ['boolean', false, false],
  ['boolean', 'true', null],
  ['date', '2026-02-10', '2026-02-10'],
  ['date', '2026-02-30', null],
  ['dropdown', 'red', 'red'],
  ['dropdown', 'Red', null],
  ['text', ['a'], null],
  ['text', null, null],
])('a field of type %s shows %j as %j', (type, stored, expected) => {
  expect(shown({ it: stored }, [definition('it', type, { choices: ['red'] })])).toStrictEqual([
    ['it', expected],
  ]);
});

test.each([
  ['first', (own: CustomFieldDefinition, partners: CustomFieldDefinition) => [own, partners]],
  ['last', (own: CustomFieldDefinition, partners: CustomFieldDefinition) => [partners, own]],
])('an organization’s own definition, listed %s, takes precedence over its partner’s', (_place, inOrder) => {
  const own = definition('it', 'number');
  const partners = definition('it', 'text', { owner: 'partner' });
  expect(shown({ it: 5 }, inOrder(own, partners))).toStrictEqual([['it', 5]]);
});
