/** The fields that an export can have, and the faults of other fields. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_EXPORT_FIELDS, parseExportFields } from '#domain/export/parse-export-fields.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { newId } from '#test/support/builders.ts';

/** The key and kind of each column, or path, code and message of each fault. */
function parse(fields: unknown, catalog = CORE_CATALOG) {
  const parsed = parseExportFields(fields, catalog);
  return parsed.ok
    ? parsed.value.map(({ key, holds }) => `${key}: ${holds}`)
    : parsed.error.map(({ path, code, message }) => [path, code, message]);
}

test('an export without fields has those of a device in a list', () => {
  const keys = parse(undefined).map((line) => String(line).split(':')[0]);
  expect(keys).toStrictEqual([...DEFAULT_EXPORT_FIELDS]);
});

test('every field of the catalog can be a column, except those without values', () => {
  const keys = [...CORE_CATALOG.keys()];
  const parsed = parseExportFields([...keys, 'organization', 'site'], CORE_CATALOG);
  expect(parsed).toStrictEqual({
    ok: false,
    error: [
      {
        path: `fields[${keys.indexOf('filter')}]`,
        code: 'value_not_allowed',
        message: 'filter has no values.',
      },
      {
        path: `fields[${keys.indexOf('software.notInstalled')}]`,
        code: 'value_not_allowed',
        message: 'software.notInstalled has no values. Use software.installed.',
      },
    ],
  });
});

test('each column holds values of the type of its field', () => {
  expect(
    parse([
      'site',
      'orgId',
      'status',
      'uptimeSeconds',
      'isHeadless',
      'enrolledAt',
      'daysSinceEnrolled',
      'tags',
    ]),
  ).toStrictEqual([
    'site: text',
    'orgId: text',
    'status: text',
    'uptimeSeconds: number',
    'isHeadless: boolean',
    'enrolledAt: instant',
    'daysSinceEnrolled: elapsedDays',
    'tags: list',
  ]);
});

describe('custom fields', () => {
  const define = (key: string, type: 'text' | 'date', orgId = newId<'organization'>()) =>
    ({ key, label: key, type, choices: [], owner: 'organization', orgIds: [orgId] }) as const;
  const catalog = buildCatalog(
    resolveCustomFields([
      define('rack', 'text'),
      define('due', 'date'),
      define('mixed', 'text'),
      define('mixed', 'date'),
    ]),
  );

  test('become columns of their type', () => {
    expect(parse(['custom.rack', 'custom.due'], catalog)).toStrictEqual([
      'custom.rack: text',
      'custom.due: instant',
    ]);
  });

  test('are refused if organizations define them with different types', () => {
    expect(parse(['id', 'custom.mixed'], catalog)).toMatchObject([
      ['fields[1]', 'ambiguous_custom_field', expect.stringContaining('orgId')],
    ]);
  });
});

test('every fault is named, with the nearest field', () => {
  expect(parse(['hostnam', 'id', 7, 'id', 'org', 'organisation', 'constructor'])).toStrictEqual([
    ['fields[0]', 'unknown_field', 'No field "hostnam". Did you mean hostname?'],
    ['fields[2]', 'invalid_value', 'A field must be a field key such as "hostname", not 7'],
    ['fields[3]', 'value_not_allowed', '"id" was named before. Name it once.'],
    [
      'fields[4]',
      'unknown_field',
      'No field "org". Use organization, site, or a field from GET /api/v1/filters/fields.',
    ],
    ['fields[5]', 'unknown_field', 'No field "organisation". Did you mean organization?'],
    [
      'fields[6]',
      'unknown_field',
      'No field "constructor". Use organization, site, or a field from GET /api/v1/filters/fields.',
    ],
  ]);
});

test.each([[null], ['hostname'], [{}], [[]], [7]])('%j is not a list of fields', (fields) => {
  expect(parse(fields)).toMatchObject([
    ['fields', 'invalid_value', expect.stringContaining('["hostname", "status"]')],
  ]);
});

test('at most a hundred faults are named', () => {
  expect(parse(Array.from({ length: 50_000 }, (_, i) => `x${i}`))).toHaveLength(100);
});
