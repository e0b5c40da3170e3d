/** Conditions are checked anew each time: a field may be defined or deleted between two checks. */
import { expect, test, vi } from 'vitest';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { newId, ONLINE_CONDITIONS, orgScope } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';

const ORG_ID = newId<'organization'>();
const SCOPE = orgScope(ORG_ID);

const RING: CustomFieldDefinition = {
  key: 'ring',
  label: 'Ring',
  type: 'text',
  choices: [],
  owner: 'organization',
  orgIds: [ORG_ID],
};

function setUp() {
  const customFields = vi.fn<CustomFieldSource>(async () => []);
  const refused = new Map<string, string>();
  const checkConditions = makeCheckConditions({
    ...{ customFields, checkPatterns: async () => refused },
    filters: { async *withInner() {} },
    organizationsOf: async () => null,
  });
  const check = async (conditions: unknown) => {
    const checked = await checkConditions(SCOPE, conditions, 'somebody');
    return checked.ok ? checked.value : checked.error.map(({ code }) => code);
  };
  return { check, customFields, refused };
}

test('conditions that have changed are checked anew', async () => {
  const { check } = setUp();
  const conditions = structuredClone(ONLINE_CONDITIONS) as { operator: string };
  expect(await check(conditions)).toMatchObject({ operator: 'AND' });
  conditions.operator = 'OR';
  expect(await check(conditions)).toMatchObject({ operator: 'OR' });
  conditions.operator = 'XOR';
  expect(await check(conditions)).toStrictEqual(['invalid_group_operator']);
});

test('a custom field is looked up each time', async () => {
  const { check, customFields } = setUp();
  const conditions = and({ field: 'custom.ring', operator: 'equals', value: 'inner' });
  expect(await check(conditions)).toStrictEqual(['unknown_field']);
  customFields.mockResolvedValue([RING]);
  expect(await check(conditions)).toMatchObject({ operator: 'AND' });
  customFields.mockResolvedValue([]);
  expect(await check(conditions)).toStrictEqual(['unknown_field']);
});

test('a regular expression is checked anew each time', async () => {
  const { check, refused } = setUp();
  const conditions = and({ field: 'hostname', operator: 'matches', value: 'a+' });
  expect(await check(conditions)).toMatchObject({ operator: 'AND' });
  refused.set('a+', 'not today');
  expect(await check(conditions)).toStrictEqual(['invalid_pattern']);
});
