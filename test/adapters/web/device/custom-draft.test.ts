/** How the text typed for a custom value becomes the value that is sent. */
import { describe, expect, test } from 'vitest';
import { readDraft, toDraft } from '#console/pages/device/custom-fields/custom-draft.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';
import { ok } from '#domain/result.ts';

const CHOICES = ['gold', 'silver'];

describe('a value', () => {
  test.each<[CustomFieldType, string, unknown]>([
    ['text', ' A-17 ', ' A-17 '],
    ['text', '12', '12'],
    ['number', ' 12.50 ', 12.5],
    ['number', '-.5', -0.5],
    ['boolean', 'false', false],
    ['date', '2026-02-10', '2026-02-10'],
    ['dropdown', 'gold', 'gold'],
  ])('of a %s that is typed as %j is read as %j', (type, draft, value) => {
    expect(readDraft({ type, choices: CHOICES }, draft)).toStrictEqual(ok(value));
  });

  test.each<[CustomFieldType]>([['text'], ['number'], ['date']])('of a blank %s is read as null', (type) => {
    expect(readDraft({ type }, '  ')).toStrictEqual(ok(null));
  });

  test.each<[CustomFieldType, string, RegExp]>([
    ['number', '12,5', /must be a number, such as/],
    ['number', '0x10', /must be a number, such as/],
    ['number', '1e400', /must be a number, such as/],
    ['number', '9007199254740993', /2\^53/],
    ['date', 'soon', /must be a date/],
    ['dropdown', 'bronze', /must be one of gold, silver/],
    ['text', 'x'.repeat(4_001), /at most 4,000 characters/],
  ])('of a %s that is typed as %j is refused with a reason', (type, draft, reason) => {
    const read = readDraft({ type, choices: CHOICES }, draft);
    expect(read.ok ? read.value : read.error).toMatch(reason);
  });
});

describe('a stored value', () => {
  test.each<[CustomFieldType, unknown]>([
    ['text', 'line\nline'],
    ['number', 0],
    ['number', 1.25],
    ['date', '2026-02-10'],
    ['date', '2026-02-10T08:00:00.000Z'],
  ])('of a %s, %j, stays the same when it is opened and saved', (type, value) => {
    expect(readDraft({ type }, toDraft({ type }, value))).toStrictEqual(ok(value));
  });

  test('that is null is shown as an empty field', () => {
    expect(toDraft({ type: 'text' }, null)).toBe('');
  });
});
