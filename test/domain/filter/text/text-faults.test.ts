/** The faults of bad filter texts: each with its position, and what may have been meant (Contract: §11). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { resolveTestName, TEXT_CATALOG, textFaults } from './text-catalog.ts';

test.each<[string, ...(readonly [code: string, at: string])[]]>([
  ['', ['empty', '']],
  [' \t\n', ['empty', ' \t\n']],
  // Keys.
  ['hots:web', ['unknown_field', 'hots']],
  [':web', ['unknown_field', '']],
  ['http://x', ['unknown_field', 'http']],
  ['cpuCores:5 __proto__:1', ['unknown_field', 'cpuCores'], ['unknown_field', '__proto__']],
  ['custom.nope:"a b" constructor:(x)', ['unknown_field', 'custom.nope'], ['unknown_field', 'constructor']],
  ['custom.mixed:5', ['ambiguous_custom_field', 'custom.mixed']],
  // A comparison without its colon.
  ['cpu>90', ['missing_colon', 'cpu>90']],
  ['host:a (-CPU<=5) "cpu>90"', ['missing_colon', 'CPU<=5']],
  [
    'status=online OR seen>2026-01-01T08:00',
    ['missing_colon', 'status=online'],
    ['missing_colon', 'seen>2026-01-01T08:00'],
  ],
  ['custom.mixed=5', ['missing_colon', 'custom.mixed=5']],
  // Structure.
  ['()', ['empty_group', '()']],
  ['host:a ( ) (', ['empty_group', '( )'], ['unclosed_group', '(']],
  ['(host:a', ['unclosed_group', '(']],
  ['((host:a)', ['unclosed_group', '(']],
  ['host:a)', ['unexpected_character', ')']],
  [')', ['unexpected_character', ')']],
  ['OR host:a', ['missing_term', 'OR']],
  ['host:a AND', ['missing_term', 'AND']],
  ['host:a OR OR host:b', ['missing_term', 'OR']],
  ['host:a OR AND', ['missing_term', 'AND'], ['missing_term', 'AND']],
  ['host:a -', ['missing_term', '-']],
  ['(host:a NOT) -AND host:b', ['missing_term', 'NOT'], ['missing_term', '-']],
  // Values.
  ['host:', ['value_required', 'host:']],
  ['host: web', ['value_required', 'host:']],
  ['(host:)', ['value_required', 'host:']],
  ['cpu:>', ['value_required', '>']],
  ['host:=', ['value_required', '=']],
  ['host:=a,', ['value_required', '']],
  ['status:,online', ['value_required', 'status:']],
  ['tags:[a,]', ['value_required', '']],
  ['host:(a OR b)', ['unexpected_character', '(']],
  ['f(x)', ['unexpected_character', '(']],
  ['a"b c" host:', ['unexpected_character', '"'], ['value_required', 'host:']],
  ['"a"b', ['unexpected_character', 'b']],
  ['"a":b', ['unexpected_character', ':']],
  ['host:="a"*', ['unexpected_character', '*']],
  ['host:"a","b"', ['unexpected_character', ',']],
  ['host:"a b', ['unclosed_quote', '"a b']],
  ['"a\\"', ['unclosed_quote', '"a\\"']],
  ['host:/a b', ['unclosed_pattern', '/a b']],
  ['host:/usr/bin', ['unexpected_character', 'b']],
  ['host:*a*', ['invalid_value', '*a*']],
  ['host:*"a"*', ['invalid_value', '*"a"*']],
  ['host:*', ['invalid_value', '*']],
  ['web*', ['invalid_value', 'web*']],
  ['host:=[a]', ['unexpected_character', '=[a]']],
  ['tags:[a', ['unexpected_character', '[a']],
  ['tags:[a]b', ['unexpected_character', 'b']],
  // Signs that the type does not have.
  ['status:=online', ['operator_not_allowed', '=online']],
  ['status:[online]', ['operator_not_allowed', '[online]']],
  ['host:>5', ['operator_not_allowed', '>5']],
  ['host:[a]', ['operator_not_allowed', '[a]']],
  ['cpu:=5', ['operator_not_allowed', '=5']],
  ['seen:=2026-01-01', ['operator_not_allowed', '=2026-01-01']],
  ['cpu:/5/', ['operator_not_allowed', '/5/']],
  ['tags:=a', ['operator_not_allowed', '=a']],
  ['reboot:>yes', ['operator_not_allowed', '>yes']],
  ['org:/a/', ['operator_not_allowed', '/a/']],
  ['=a', ['operator_not_allowed', '=a']],
  ['software:chrome*', ['operator_not_allowed', 'chrome*']],
  ['software.notInstalled:[a]', ['operator_not_allowed', '[a]']],
  // Values that the field refuses.
  ['status:Online', ['invalid_value', 'Online']],
  ['status:online,of,up', ['invalid_value', 'of'], ['invalid_value', 'up']],
  ['status:none', ['invalid_value', 'none']],
  ['reboot:none', ['invalid_value', 'none']],
  ['isHeadless:yes,maybe', ['invalid_value', 'maybe']],
  ['cpu:a', ['invalid_value', 'a']],
  ['cpu:.5', ['invalid_value', '.5']],
  ['cpu:1,2', ['invalid_value', '1,2']],
  ['cpu:9007199254740993', ['invalid_value', '9007199254740993']],
  ['cpu:90.00000000000000001', ['invalid_value', '90.00000000000000001']],
  ['-cpu:5..1', ['invalid_value', '5..1']],
  ['cpu:1..x', ['invalid_value', 'x']],
  ['cpu:1..', ['value_required', '1..']],
  ['seen:2026-02-30', ['invalid_value', '2026-02-30']],
  ['seen:>=now', ['invalid_value', '>=now']],
  ['seen:2026-02-30..2026-02-31', ['invalid_value', '2026-02-30'], ['invalid_value', '2026-02-31']],
  ['seen:"7d"', ['invalid_value', '"7d"']],
  ['seen:>=7d', ['invalid_value', '>=7d']],
  ['seen:7m', ['invalid_value', '7m']],
  ['seen:0d', ['invalid_value', '0d']],
  ['seen:-1d', ['invalid_value', '-1d']],
  ['seen:1.5mo', ['invalid_value', '1.5mo']],
  [`host:/${'a'.repeat(1001)}/`, ['invalid_pattern', `/${'a'.repeat(1001)}/`]],
  ['host:a\u0000', ['invalid_value', 'a\u0000']],
  ['a\ud800', ['invalid_value', 'a\ud800']],
  ['org:nobody site:=lab,x', ['invalid_value', 'nobody'], ['invalid_value', 'x']],
  // Terms that cannot be negated.
  ['-host:web*', ['not_negatable', 'host:web*']],
  ['NOT (chrome host:*web)', ['not_negatable', 'host:*web']],
  ['-host:/a/', ['not_negatable', 'host:/a/']],
  ['-site:lab', ['not_negatable', 'site:lab']],
  ['-org:=[]', ['not_negatable', 'org:=[]']],
  ['-org:nobody', ['not_negatable', 'org:nobody'], ['invalid_value', 'nobody']],
  ['-software[A b].version:<2', ['not_negatable', 'software[A b].version:<2']],
  ['NOT software[A].version:1..2', ['not_negatable', 'software[A].version:1..2']],
  // Versions of titles.
  ['software[A b].version<2', ['missing_colon', 'software[A b].version<2']],
  ['software[A b].version:-', ['invalid_value', '-']],
  ['os:linux (software[A b.version:<2)', ['unknown_field', 'software[A b.version']],
  ['software[].version:1', ['unknown_field', 'software[].version']],
  [`software[${'a'.repeat(1025)}].version:1`, ['unknown_field', `software[${'a'.repeat(1025)}].version`]],
])('refuses %s', (text, ...faults) => {
  expect(textFaults(text)).toStrictEqual(faults);
});

test.each<[string, readonly string[]]>([
  ['hostnam:web', ['hostname']],
  ['hots:web', ['host']],
  ['xyzzy:web', []],
  ['software[A b.version:<2', ['software[A b].version']],
  ['status:onlin', ['online']],
  ['status:Online', ['online']],
  ['status:"onlin"', ['online']],
  ['custom.ring:a,b,alpa', ['alpha']],
  ['isHeadless:ye', ['yes']],
  ['status:=online', ['online']],
  ['host:>5', ['">5"']],
  ['seen:7m', ['7min', '7mo']],
  ['seen:>7D', ['>7d']],
  ['cpu:..5', ['<=5']],
  ['host:*a*', ['a']],
  ['web*', ['web', 'host:web*', '"web*"']],
])('suggests corrections for %s', (text, suggestions) => {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  expect(parsed.ok ? null : parsed.error.at(-1)?.suggestions).toStrictEqual(suggestions);
});

test.each([
  ['status:onlin', 'No status "onlin". Did you mean online?'],
  [
    'status:gone',
    'No status "gone". Use online, offline, maintenance, decommissioned, quarantined, updating, pending.',
  ],
  [
    'status:online,gone status:onlin',
    'No status "gone". Use online, offline, maintenance, decommissioned, quarantined, updating, pending.',
  ],
  ['cpu:>abc', '"abc" is not a number. Example: cpu:>90'],
  ['cpu:5..x', '"x" is not a number. Example: cpu:>90'],
  ['reboot:maybe', '"maybe" is not yes or no. Example: reboot:yes'],
  ['reboot:ye', '"ye" is not yes or no. Did you mean yes?'],
  ['seen:>=now', '"now" is not a date. Example: seen:>=2026-02-10'],
  ['seen:7x', 'No unit of time "x". Use min, h, d, w, mo. Example: seen:7d'],
  ['hots:web', 'No field "hots". Did you mean host? To search for text with a colon, put it in quotes.'],
  ['org:nobody', 'No organization is named "nobody"'],
  ['host:', 'The value is missing. For empty text, write "".'],
  ['cpu:1..', 'A range needs both ends. For an open range, use >= or <=.'],
  ['host:*', '"*" needs text next to it. To match any value, use any.'],
  ['host:a OR', 'AND and OR need a condition after them'],
])('%s is refused with the message: %s', (text, message) => {
  expect(messagesOf(text)[0]).toBe(message);
});

test.each([
  ['cpu>90', 'cpu:>90'],
  ['cores=4', 'cores:4'],
  ['cores==4', 'cores:4'],
  ['cpu<=5.5', 'cpu:<=5.5'],
  ['hardware.cpuCores>=8', 'hardware.cpuCores:>=8'],
  ['seen<7d', 'seen:<7d'],
  ['seen>2026-01-01T08:00', 'seen:>2026-01-01T08:00'],
  ['enrolled=2026-01-01', 'enrolled:2026-01-01'],
  ['status=online,offline', 'status:online,offline'],
  ['reboot=yes', 'reboot:yes'],
  ['tags=vip', 'tags:vip'],
  ['host=web', 'host:=web'],
  ['host="a b"', 'host:="a b"'],
  ['host>web', 'host:web'],
  ['org="Acme Ltd"', 'org:="Acme Ltd"'],
])('%s lacks a colon, and %s is offered', (text, mended) => {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  expect(parsed.ok ? [] : parsed.error).toMatchObject([
    { code: 'missing_colon', start: 0, end: text.length, suggestions: [mended] },
  ]);
  const again = parseFilterText(mended, TEXT_CATALOG, resolveTestName);
  expect(again.ok || again.error.every(({ code }) => code !== 'missing_colon')).toBe(true);
});

test.each(['web>5', 'a=b', '=5', '>90', '"cpu>90"', 'host:cpu>90'])('%s lacks no colon', (text) => {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  const codes = parsed.ok ? [] : parsed.error.map(({ code }) => code);
  expect(codes).not.toContain('missing_colon');
});

test('a number with too many digits gets the same message in a text as in JSON', () => {
  const parsed = parseFilterText('cpu:90.00000000000000001', TEXT_CATALOG, resolveTestName);
  const conditions = [{ field: 'metrics.cpuPercent', operator: 'equals', value: '90.00000000000000001' }];
  const json = parseConditions({ operator: 'AND', conditions }, TEXT_CATALOG);
  expect(parsed.ok || json.ok).toBe(false);
  if (!parsed.ok && !json.ok) expect(parsed.error[0]?.message).toBe(json.error[0]?.message);
});

test('names a hundred faults at most', () => {
  expect(textFaults('cpu:x '.repeat(200))).toHaveLength(MAX_FAULTS);
  expect(textFaults('('.repeat(200))).toHaveLength(MAX_FAULTS);
  expect(textFaults(`status:${'x,'.repeat(200)}x`)).toHaveLength(MAX_FAULTS);
});

const PIECES = [
  ...['host', 'status', 'tags', 'cpu', 'seen', 'org', 'reboot', 'software', 'custom.ring', 'nope', 'web'],
  ...[':', '=', '>', '<=', '[', ']', '/', '*', ',', '"', '\\', '(', ')', '-', '..', ' ', ' ', '\t'],
  ...['AND', 'OR', 'NOT', 'none', 'any', 'online', '5', '7d', '2026-02-10', '\ud800', '\u0000', 'é'],
];

test('any text is taken or refused, and a taken text yields valid conditions', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  fc.assert(
    fc.property(text, (written) => {
      const parsed = parseFilterText(written, TEXT_CATALOG, resolveTestName);
      if (parsed.ok) {
        expect(parseConditions(parsed.value, TEXT_CATALOG).ok).toBe(true);
        return;
      }
      expect(parsed.error.length).toBeGreaterThan(0);
      for (const { start, end, message } of parsed.error) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(written.length);
        expect(message).not.toBe('');
      }
    }),
    { numRuns: 5000, seed: 1 },
  );
});

function messagesOf(text: string): readonly string[] {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  return parsed.ok ? [] : parsed.error.map(({ message }) => message);
}
