/** Proposals while a filter text is written; `|` is the cursor (Contract: §11). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { MAX_COMPLETIONS, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import { TEXT_CATALOG } from './text-catalog.ts';

function complete(marked: string) {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, ...completion } = completeFilterText(text, at, TEXT_CATALOG);
  return { replaces: text.slice(from, to), ...completion };
}

function inserts(marked: string): readonly string[] {
  return complete(marked).items.map(({ insert }) => insert);
}

test.each<[string, string, string, string]>([
  // Text, kind, what was typed, what is replaced.
  ['|', 'key', '', ''],
  ['sta|', 'key', 'sta', 'sta'],
  ['st|atus:online', 'key', 'st', 'status:'],
  ['host:a |', 'key', '', ''],
  ['host:a -(na|', 'key', 'na', 'na'],
  ['host:a na| tags:b', 'key', 'na', 'na'],
  ['host:"a b" OR n|', 'key', 'n', 'n'],
  ['host:/a (b/ n|', 'key', 'n', 'n'],
  ['status:|', 'operator', '', ''],
  ['status:|online', 'operator', '', 'online'],
  ['status:on|', 'value', 'on', 'on'],
  ['status:on|line tags:a', 'value', 'on', 'online'],
  ['status:online,of|f', 'value', 'of', 'off'],
  ['(status:on|)', 'value', 'on', 'on'],
  ['tags:[a,v|', 'value', 'v', 'v'],
  ['tags:[a,v|]', 'value', 'v', 'v'],
  ['tags:"v p|', 'value', 'v p', '"v p'],
  ['tags:"v|ip one" host:"a"', 'value', 'v', '"vip one"'],
  ['tags:"v| host:"a"', 'value', 'v', '"v'],
  ['tags:a,"b"|', 'value', 'b', '"b"'],
  ['software:=chr|', 'value', 'chr', 'chr'],
  ['host:a,b|', 'value', 'a,b', 'a,b'],
  ['host:=a,b|', 'value', 'b', 'b'],
  ['seen:<7|', 'value', '7', '7'],
  ['org:"Ac|', 'value', 'Ac', '"Ac'],
  ['software[chr|', 'key', 'chr', 'software[chr'],
  ['host:a -software[google chr|', 'key', 'google chr', 'software[google chr'],
  ['software[goo|gle chrome].version:<2', 'key', 'goo', 'software[google chrome].version:'],
  ['software["a]|', 'key', 'a]', 'software["a]'],
  ['software[Google Chrome].version:|', 'operator', '', ''],
  ['software[Google Chrome].version:<13|', 'value', '13', '13'],
  ['software["a]b"].version:=1,2|', 'value', '2', '2'],
  // Nothing is proposed for these.
  ['"a b|', 'value', '', ''],
  ['nope:a|', 'value', '', ''],
  ['host:/a|', 'value', '', ''],
])('at %s, the completion is of kind %s', (marked, kind, typed, replaces) => {
  const completion = complete(marked);
  expect({ kind: completion.kind, typed: completion.typed, replaces: completion.replaces }).toStrictEqual({
    kind,
    typed,
    replaces,
  });
});

test.each<[string, readonly string[]]>([
  ['sta|', ['status:', 'watchdogStatus:', 'software:', 'software.notInstalled:']],
  ['HOS|', ['host:']],
  ['custom.r|', ['custom.ring:']],
  ['mixed|', []],
  ['"a|', []],
  ['status:o|', ['online', 'offline']],
  ['status:online,ma|', ['maintenance']],
  ['isHeadless:|', ['yes', 'no', 'none', 'any']],
  ['reboot:|', ['yes', 'no']],
  ['isHeadless:n|', ['no', 'none']],
  ['isHeadless:yes,n|', ['no']],
  ['custom.ring:|', ['alpha', 'beta', '"none"', '"a,b"', '">5"']],
  ['cpu:|', ['none', 'any', '>', '>=', '<', '<=']],
  ['seen:|', ['none', 'any', '<7d', '>30d', '>', '>=', '<', '<=']],
  ['tags:|', ['none', 'any', '[']],
  ['host:|', ['none', 'any', '=', '*', '/']],
  ['org:|', ['=']],
  ['host:/|', []],
])('at %s, the proposals are %j', (marked, expected) => {
  expect(inserts(marked)).toStrictEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['cpu>90|', ['cpu:>90']],
  ['-(CPU<=5|', ['cpu:<=5']],
  ['cpu>|', ['cpu:>']],
  ['cpu==5|', ['cpu:5']],
  ['cpu>high|', []],
  ['seen>30d|', ['seen:>30d']],
  ['status=online|', ['status:online']],
  ['status!=online|', ['-status:online']],
  ['status<>online|', ['-status:online']],
  ['status=|', ['status:']],
  ['status>online|', []],
  ['host=srv-1|', ['host:=srv-1']],
  ['org=Acme|', ['org:=Acme']],
  ['custom.ring=alpha|', ['custom.ring:alpha']],
  ['mixed=a|', []],
  ['nope>5|', []],
])('for the forgotten colon at %s, the proposals are %j', (marked, expected) => {
  expect(inserts(marked)).toStrictEqual(expected);
});

test.each([
  ['tags:v|', 'tags'],
  ['tags.name:v|', 'tags'],
  ['software:c|', 'software'],
  ['-software.notInstalled:=c|', 'software'],
  ['org:|', 'organizations'],
  ['site:x|', 'sites'],
  ['host:x|', null],
  ['tags.name:/v|', null],
  ['tag|', null],
])('at %s the source is %s', (marked, source) => {
  expect(complete(marked).source).toBe(source);
});

test('proposed keys have a label and a description', () => {
  expect(complete('reboo|').items).toStrictEqual([
    {
      insert: 'reboot:',
      label: 'Reboot Required',
      description:
        "The device's operating system reports a pending reboot. False where nothing is known: inventories do not say.",
    },
  ]);
});

test('values of devices are quoted if necessary', () => {
  expect(toValueItem('a b')).toStrictEqual({ insert: '"a b"', label: 'a b', description: null });
  expect(toValueItem('vip', '12 devices').insert).toBe('vip');
});

test('any text has a completion at any place', () => {
  const pieces = [
    'host',
    'status',
    'tags',
    ':',
    '=',
    '[',
    '"',
    '/',
    '*',
    ',',
    '(',
    ')',
    '-',
    ' ',
    'on',
    '\\',
    'é',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((some) => some.join(''));
  fc.assert(
    fc.property(text, fc.nat({ max: 40 }), (written, at) => {
      const { from, to, items } = completeFilterText(written, at, TEXT_CATALOG);
      const cursor = Math.min(at, written.length);
      expect(from).toBeLessThanOrEqual(cursor);
      expect(to).toBeGreaterThanOrEqual(cursor);
      expect(to).toBeLessThanOrEqual(written.length);
      expect(items.length).toBeLessThanOrEqual(MAX_COMPLETIONS);
    }),
    { numRuns: 3000, seed: 1 },
  );
});
