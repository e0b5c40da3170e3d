/** Texts of a megabyte and thirty thousand levels: nothing may overflow the stack or take quadratic time. */
import { expect, test } from 'vitest';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { MAX_CONDITIONS_OF_TEXT } from '#domain/limits.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';

const LEVELS = 30_000;
const MEBIBYTE = 2 ** 20;

function parse(text: string) {
  return parseFilterText(text, CORE_CATALOG, () => []);
}

/** Parses the text and prints it again. */
function settle(text: string): string {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`refused: ${JSON.stringify(parsed.error)}`);
  return formatConditions(parseFilter(parsed.value));
}

test('thirty thousand parentheses around one term disappear', () => {
  expect(settle(`${'('.repeat(LEVELS)}host:a${')'.repeat(LEVELS)}`)).toBe('host:a');
  expect(settle(`${'-('.repeat(LEVELS)}host:a${')'.repeat(LEVELS)}`)).toBe('host:a');
  expect(settle(`${'-'.repeat(MEBIBYTE - 10)}host:a`)).toBe('host:a');
});

test('thirty thousand levels with a term on each are read and printed', () => {
  const text = `${'host:a (host:b OR ('.repeat(LEVELS / 2)}host:c host:d${'))'.repeat(LEVELS / 2)}`;
  expect(settle(text) === text).toBe(true);
  let group: RawGroup = and({ field: 'hostname', operator: 'equals', value: 'a' });
  for (let level = 1; level < LEVELS; level++) {
    const beside = { field: 'hostname', operator: 'contains', value: 'b' };
    group = level % 2 === 0 ? and(beside, group) : or(group, beside);
  }
  const printed = formatConditions(parseFilter(group));
  expect(settle(printed) === printed).toBe(true);
});

test.each<[string, string]>([
  ['terms', 'host:a '.repeat(MEBIBYTE / 7)],
  ['alternatives', `${'cpu:>5 OR '.repeat(MEBIBYTE / 10)}a`],
  ['a list', `host:=${'a,b,c,d,'.repeat(MEBIBYTE / 8)}z`],
  ['one word', `host:${'a'.repeat(MEBIBYTE)}`],
  ['one quoted text', `host:"${'\\"'.repeat(MEBIBYTE / 2)}"`],
  ['white space', `host:a${' '.repeat(MEBIBYTE)}`],
])('a megabyte of %s is read, printed and completed', { timeout: 240_000 }, (_what, text) => {
  const printed = settle(text);
  expect(settle(printed) === printed).toBe(true);
  expect(completeFilterText(text, text.length, CORE_CATALOG).to).toBe(text.length);
});

test.each<[string, string]>([
  ['open quotes', 'a"'.repeat(MEBIBYTE / 2)],
  ['open patterns', 'host:/a '.repeat(MEBIBYTE / 8)],
  ['open groups', '('.repeat(MEBIBYTE)],
  ['closed groups', ')'.repeat(MEBIBYTE)],
  ['open lists', 'tags:[a '.repeat(MEBIBYTE / 8)],
  ['unknown keys', 'nope:a '.repeat(MEBIBYTE / 7)],
  ['one unknown key', `${'a'.repeat(MEBIBYTE)}:b`],
  ['colons', ':'.repeat(MEBIBYTE)],
  ['operators', 'OR '.repeat(MEBIBYTE / 3)],
  ['a pattern', `host:/${'a'.repeat(MEBIBYTE)}/`],
  ['faulty ranges', 'cpu:5..1 '.repeat(MEBIBYTE / 9)],
])('a megabyte of %s is refused', { timeout: 240_000 }, (_what, text) => {
  const parsed = parse(text);
  expect(parsed.ok).toBe(false);
  completeFilterText(text, text.length, CORE_CATALOG);
});

test('a text that expands to too many conditions is refused', () => {
  const most = Math.floor(MAX_CONDITIONS_OF_TEXT / 3);
  expect(parse('abc '.repeat(most)).ok).toBe(true);
  expect(parse(`host:x ${'(abc OR -abc) '.repeat(most)}`)).toMatchObject({
    ok: false,
    error: [
      { code: 'too_many_conditions', message: expect.stringContaining('more than 200,000 conditions') },
    ],
  });
});
