import { describe, expect, test } from 'vitest';
import { fieldQuotaExceededBy } from '#domain/filter/catalog/custom-field.ts';
import { MAX_CUSTOM_FIELD_BYTES_PER_OWNER, MAX_CUSTOM_FIELDS_PER_OWNER } from '#domain/limits.ts';
import { aCustomField, newId } from '#test/support/builders.ts';

const owner = { kind: 'organization', orgId: newId<'organization'>() } as const;
const fields = (count: number) =>
  Array.from({ length: count }, (_, i) => aCustomField({ owner, key: `k${i}` }));
/** One field whose key, name and choice take `bytes` bytes. */
const field = (bytes: number) => [
  aCustomField({ owner, key: 'k', name: 'n', choices: ['x'.repeat(bytes - 2)] }),
];

describe('the custom fields of an owner', () => {
  test.each([
    ['as many as are allowed', fields(MAX_CUSTOM_FIELDS_PER_OWNER), []],
    [
      'as many as before, beyond the limit',
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 2),
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 2),
    ],
    [
      'fewer than before, beyond the limit',
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 1),
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 2),
    ],
    ['as long as is allowed', field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER), []],
    [
      'as long as before, beyond the limit',
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 2),
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 2),
    ],
    [
      'shorter than before, beyond the limit',
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 1),
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 2),
    ],
  ])('may be %s', (_what, after, before) => {
    expect(fieldQuotaExceededBy(after, before)).toBeNull();
  });

  test.each([
    ['one more than is allowed', fields(MAX_CUSTOM_FIELDS_PER_OWNER + 1), fields(1)],
    [
      'more than before if there were too many',
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 3),
      fields(MAX_CUSTOM_FIELDS_PER_OWNER + 2),
    ],
    ['longer than is allowed', field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 1), field(2)],
    [
      'longer than before if they were too long',
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 3),
      field(MAX_CUSTOM_FIELD_BYTES_PER_OWNER + 2),
    ],
  ])('must not be %s', (_what, after, before) => {
    expect(fieldQuotaExceededBy(after, before)).toContain('at most');
  });
});
