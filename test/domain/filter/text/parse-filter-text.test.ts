/** What filter texts mean, clause by clause of the contract (§11). */
import { expect, test } from 'vitest';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import type { NodeJson } from '#domain/filter/text/condition-json.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { and, or, parseFilter } from '#test/support/filters.ts';
import { ACME_IDS, readText, SITE_ID } from './text-catalog.ts';

const is = (field: string, operator: string, ...value: readonly unknown[]) =>
  ({ field, operator, ...(value.length > 0 && { value: value[0] }) }) as NodeJson & { field: string };

const bare = (text: string) =>
  or(...['hostname', 'displayName', 'lastUser'].map((field) => is(field, 'contains', text)));
const notBare = (text: string) =>
  and(...['hostname', 'displayName', 'lastUser'].map((field) => is(field, 'notContains', text)));

/** The text stands for one condition. */
test.each<[string, string, string, unknown?]>([
  // Keys.
  ['hostname:web', 'hostname', 'contains', 'web'],
  ['HostName:web', 'hostname', 'contains', 'web'],
  ['host:web', 'hostname', 'contains', 'web'],
  // Versions of titles.
  ['software[Google Chrome].version:<130', 'software[Google Chrome].version', 'lessThan', '130'],
  ['SOFTWARE[Visual C++ (x64)].Version:14.30', 'software[Visual C++ (x64)].version', 'equals', '14.30'],
  ['software["a]b: \\"c\\""].version:=1,2', 'software[a]b: "c"].version', 'in', ['1', '2']],
  ['software[a].version].version:none', 'software[a].version].version', 'isNull'],
  ['-software[a].version:=1', 'software[a].version', 'notEquals', '1'],
  ['-software[a].version:any', 'software[a].version', 'isNull'],
  ['HOST:web', 'hostname', 'contains', 'web'],
  ['name:web', 'displayName', 'contains', 'web'],
  ['os:windows', 'osType', 'equals', 'windows'],
  ['role:access_point', 'deviceRole', 'equals', 'access_point'],
  ['agent:1.2', 'agentVersion', 'contains', '1.2'],
  ['uptime:5', 'uptimeSeconds', 'equals', 5],
  ['vendor:dell', 'hardware.manufacturer', 'contains', 'dell'],
  ['serial:x', 'hardware.serialNumber', 'contains', 'x'],
  ['cores:>=8', 'hardware.cpuCores', 'greaterThanOrEquals', 8],
  ['ram:>90', 'metrics.ramPercent', 'greaterThan', 90],
  ['disk:<10', 'metrics.diskPercent', 'lessThan', 10],
  ['reboot:yes', 'system.rebootRequired', 'equals', true],
  ['patches.pending:no', 'patches.pending', 'equals', false],
  ['custom.note:x', 'custom.note', 'contains', 'x'],
  ['CUSTOM.Note:x', 'custom.note', 'contains', 'x'],
  ['custom.seats:3', 'custom.seats', 'equals', 3],
  ['custom.due:<2026-01-01', 'custom.due', 'before', '2026-01-01'],
  ['custom.vip:yes', 'custom.vip', 'equals', true],
  ['custom.ring:none', 'custom.ring', 'equals', 'none'],
  ['custom.ring:alpha,none', 'custom.ring', 'in', ['alpha', 'none']],
  ['custom.ring:"a,b",">5"', 'custom.ring', 'in', ['a,b', '>5']],
  // Literal characters.
  ['user:CORP\\jdoe', 'lastUser', 'contains', 'CORP\\jdoe'],
  ['mac:02:00:00', 'network.macAddress', 'contains', '02:00:00'],
  ['ip:fe80::1', 'network.ipAddress', 'contains', 'fe80::1'],
  ['model:MacBookPro18,3', 'hardware.model', 'contains', 'MacBookPro18,3'],
  ['host:a/b/c', 'hostname', 'contains', 'a/b/c'],
  ['host:a=b', 'hostname', 'contains', 'a=b'],
  ['host:a*b', 'hostname', 'contains', 'a*b'],
  ['host:-web', 'hostname', 'contains', '-web'],
  ['host:OR', 'hostname', 'contains', 'OR'],
  ['host:x\\', 'hostname', 'contains', 'x\\'],
  ['tag:a*', 'tags', 'contains', 'a*'],
  // Quotes.
  ['host:"a b (c)"', 'hostname', 'contains', 'a b (c)'],
  ['host:"say \\"hi\\" to C:\\\\ and C:\\x"', 'hostname', 'contains', 'say "hi" to C:\\ and C:\\x'],
  ['host:""', 'hostname', 'contains', ''],
  ['host:=""', 'hostname', 'equals', ''],
  ['host:"=a"', 'hostname', 'contains', '=a'],
  ['host:"/a/"', 'hostname', 'contains', '/a/'],
  ['host:"a*"', 'hostname', 'contains', 'a*'],
  ['host:"a b"*', 'hostname', 'startsWith', 'a b'],
  ['host:*"a b"', 'hostname', 'endsWith', 'a b'],
  ['host:"none"', 'hostname', 'contains', 'none'],
  ['host:=none', 'hostname', 'equals', 'none'],
  ['tag:"none"', 'tags', 'contains', 'none'],
  ['tag:"a,b"', 'tags', 'contains', 'a,b'],
  ['tag:"[a]"', 'tags', 'contains', '[a]'],
  ['cpu:>"5"', 'metrics.cpuPercent', 'greaterThan', 5],
  ['status:"online"', 'status', 'equals', 'online'],
  // Texts.
  ['host:=Web-1', 'hostname', 'equals', 'Web-1'],
  ['host:=a,b', 'hostname', 'in', ['a', 'b']],
  ['host:="a,b",c', 'hostname', 'in', ['a,b', 'c']],
  ['host:=[]', 'hostname', 'in', []],
  ['host:=>5', 'hostname', 'equals', '>5'],
  ['host:web*', 'hostname', 'startsWith', 'web'],
  ['host:*01', 'hostname', 'endsWith', '01'],
  ['host:/^srv (a|b)\\/\\d+$/', 'hostname', 'matches', '^srv (a|b)/\\d+$'],
  ['host:/\\\\/', 'hostname', 'matches', '\\\\'],
  ['host://', 'hostname', 'matches', ''],
  ['name:none', 'displayName', 'isNull'],
  ['name:any', 'displayName', 'isNotNull'],
  ['name:None', 'displayName', 'contains', 'None'],
  ['ip:none', 'network.ipAddress', 'isNull'],
  ['tags.name:vip*', 'tags.name', 'startsWith', 'vip'],
  ['tags.name:none', 'tags.name', 'isNull'],
  // Enums, booleans.
  ['status:online,offline', 'status', 'in', ['online', 'offline']],
  ['isHeadless:true', 'isHeadless', 'equals', true],
  ['isHeadless:"false"', 'isHeadless', 'equals', false],
  ['isHeadless:none', 'isHeadless', 'isNull'],
  // Numbers.
  ['cpu:5', 'metrics.cpuPercent', 'equals', 5],
  ['cpu:-1.50', 'metrics.cpuPercent', 'equals', -1.5],
  ['cpu:>5', 'metrics.cpuPercent', 'greaterThan', 5],
  ['cpu:<=5', 'metrics.cpuPercent', 'lessThanOrEquals', 5],
  ['cpu:1..5', 'metrics.cpuPercent', 'between', { from: 1, to: 5 }],
  ['cpu:-2.5..-1', 'metrics.cpuPercent', 'between', { from: -2.5, to: -1 }],
  ['cpu:any', 'metrics.cpuPercent', 'isNotNull'],
  ['daysSinceLastSeen:>30', 'daysSinceLastSeen', 'greaterThan', 30],
  // Dates.
  ['seen:2026-02-10', 'lastSeenAt', 'equals', '2026-02-10'],
  ['seen:2026-02-10T08:00:00Z', 'lastSeenAt', 'equals', '2026-02-10T08:00:00Z'],
  ['seen:>2026-02-10', 'lastSeenAt', 'after', '2026-02-10'],
  ['seen:<2026-02-10', 'lastSeenAt', 'before', '2026-02-10'],
  [
    'seen:2026-02-10..2026-02-11T08:00:00.5+01:00',
    'lastSeenAt',
    'between',
    { from: '2026-02-10', to: '2026-02-11T08:00:00.5+01:00' },
  ],
  ['seen:7d', 'lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }],
  ['seen:<7d', 'lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }],
  ['seen:>1.5h', 'lastSeenAt', 'notWithinLast', { amount: 1.5, unit: 'hours' }],
  ['seen:30min', 'lastSeenAt', 'withinLast', { amount: 30, unit: 'minutes' }],
  ['seen:2w', 'lastSeenAt', 'withinLast', { amount: 2, unit: 'weeks' }],
  ['seen:3mo', 'lastSeenAt', 'withinLast', { amount: 3, unit: 'months' }],
  ['quarantinedAt:none', 'quarantinedAt', 'isNull'],
  // Lists.
  ['tag:a', 'tags', 'contains', 'a'],
  ['tags:a,b', 'tags', 'hasAny', ['a', 'b']],
  ['tags:a,"b c"', 'tags', 'hasAny', ['a', 'b c']],
  ['tags:[a,b]', 'tags', 'hasAll', ['a', 'b']],
  ['tags:["a]","b,c"]', 'tags', 'hasAll', ['a]', 'b,c']],
  ['tags:[]', 'tags', 'hasAll', []],
  ['tags:none', 'tags', 'isEmpty'],
  ['tags:any', 'tags', 'isNotEmpty'],
  // Software.
  ['software:chrome', 'software.installed', 'contains', 'chrome'],
  ['software:none', 'software.installed', 'contains', 'none'],
  ['software:="Google Chrome"', 'software.installed', 'equals', 'Google Chrome'],
  ['software:=a,b', 'software.installed', 'in', ['a', 'b']],
  ['software:[a,b]', 'software.installed', 'hasAll', ['a', 'b']],
  ['software.notInstalled:x', 'software.notInstalled', 'contains', 'x'],
  // Organizations and sites.
  [`org:${ACME_IDS[0].toUpperCase()}`, 'orgId', 'equals', ACME_IDS[0]],
  ['org:"ACME, Inc."', 'orgId', 'in', [...ACME_IDS]],
  [`org:="acme, inc.",${ACME_IDS[1]}`, 'orgId', 'in', [...ACME_IDS]],
  ['site:lab', 'siteId', 'equals', SITE_ID],
  ['site:=[]', 'siteId', 'in', []],
  // Negation by the complementary operator.
  ['-host:web', 'hostname', 'notContains', 'web'],
  ['NOT host:=web', 'hostname', 'notEquals', 'web'],
  ['-host:=a,b', 'hostname', 'notIn', ['a', 'b']],
  ['-host:=[]', 'hostname', 'notIn', []],
  ['-name:none', 'displayName', 'isNotNull'],
  ['-status:online', 'status', 'notEquals', 'online'],
  ['-status:online,offline', 'status', 'notIn', ['online', 'offline']],
  ['-reboot:yes', 'system.rebootRequired', 'notEquals', true],
  ['-cpu:5', 'metrics.cpuPercent', 'notEquals', 5],
  ['-seen:2026-02-10', 'lastSeenAt', 'notEquals', '2026-02-10'],
  ['-seen:7d', 'lastSeenAt', 'notWithinLast', { amount: 7, unit: 'days' }],
  ['-seen:>7d', 'lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }],
  ['-tags:a', 'tags.name', 'notEquals', 'a'],
  ['-tags:a,b', 'tags.name', 'notIn', ['a', 'b']],
  ['-tags:[]', 'tags.name', 'in', []],
  ['-tags:none', 'tags', 'isNotEmpty'],
  ['-tags.name:vip', 'tags.name', 'notContains', 'vip'],
  ['-software:chrome', 'software.installed', 'notContains', 'chrome'],
  ['-software:=a', 'software.notInstalled', 'equals', 'a'],
  ['-software:=[]', 'hostname', 'notIn', []],
  ['-software.notInstalled:a', 'software.installed', 'contains', 'a'],
  ['--host:web*', 'hostname', 'startsWith', 'web'],
  ['NOT -host:/a/', 'hostname', 'matches', 'a'],
])('%s is one condition', (text, field, operator, ...value) => {
  expect(readText(text)).toStrictEqual(and(is(field, operator, ...value)));
});

/** The text stands for a group. */
test.each<[string, unknown]>([
  ['chrome', bare('chrome')],
  ['"chrome" ', bare('chrome')],
  ['"a:b (c)"', bare('a:b (c)')],
  ['"OR"', bare('OR')],
  ['none', bare('none')],
  ['and', bare('and')],
  ['a,b', bare('a,b')],
  ['a/b\\c', bare('a/b\\c')],
  ['-chrome', notBare('chrome')],
  ['-"-chrome"', notBare('-chrome')],
  ['host:a host:b', and(is('hostname', 'contains', 'a'), is('hostname', 'contains', 'b'))],
  ['host:a AND host:b', and(is('hostname', 'contains', 'a'), is('hostname', 'contains', 'b'))],
  ['host:a OR host:b', or(is('hostname', 'contains', 'a'), is('hostname', 'contains', 'b'))],
  [
    'host:a host:b OR host:c',
    or(
      and(is('hostname', 'contains', 'a'), is('hostname', 'contains', 'b')),
      is('hostname', 'contains', 'c'),
    ),
  ],
  [
    'host:a (host:b OR host:c)',
    and(
      is('hostname', 'contains', 'a'),
      or(is('hostname', 'contains', 'b'), is('hostname', 'contains', 'c')),
    ),
  ],
  ['(host:a)(host:b)', and(is('hostname', 'contains', 'a'), is('hostname', 'contains', 'b'))],
  ['((host:a))', and(is('hostname', 'contains', 'a'))],
  ['-(host:a host:b)', or(is('hostname', 'notContains', 'a'), is('hostname', 'notContains', 'b'))],
  [
    'NOT(host:a OR -(host:b OR -host:c))',
    and(
      is('hostname', 'notContains', 'a'),
      or(is('hostname', 'contains', 'b'), is('hostname', 'notContains', 'c')),
    ),
  ],
  ['isHeadless:yes,no', or(is('isHeadless', 'equals', true), is('isHeadless', 'equals', false))],
  ['-isHeadless:yes,no', and(is('isHeadless', 'notEquals', true), is('isHeadless', 'notEquals', false))],
  ['-cpu:>5', or(is('metrics.cpuPercent', 'lessThanOrEquals', 5), is('metrics.cpuPercent', 'isNull'))],
  [
    '-cpu:1..5',
    or(
      is('metrics.cpuPercent', 'lessThan', 1),
      is('metrics.cpuPercent', 'greaterThan', 5),
      is('metrics.cpuPercent', 'isNull'),
    ),
  ],
  [
    'seen:>=2026-02-10',
    or(is('lastSeenAt', 'after', '2026-02-10'), is('lastSeenAt', 'equals', '2026-02-10')),
  ],
  [
    'seen:<=2026-02-10',
    or(is('lastSeenAt', 'before', '2026-02-10'), is('lastSeenAt', 'equals', '2026-02-10')),
  ],
  ['-seen:>=2026-02-10', or(is('lastSeenAt', 'before', '2026-02-10'), is('lastSeenAt', 'isNull'))],
  [
    '-seen:>2026-02-10',
    or(
      is('lastSeenAt', 'before', '2026-02-10'),
      is('lastSeenAt', 'equals', '2026-02-10'),
      is('lastSeenAt', 'isNull'),
    ),
  ],
  [
    '-seen:2026-02-10..2026-02-12',
    or(
      is('lastSeenAt', 'before', '2026-02-10'),
      is('lastSeenAt', 'after', '2026-02-12'),
      is('lastSeenAt', 'isNull'),
    ),
  ],
  ['-tags:[a,b]', or(is('tags.name', 'notEquals', 'a'), is('tags.name', 'notEquals', 'b'))],
  [
    '-software:[a,b]',
    or(is('software.notInstalled', 'equals', 'a'), is('software.notInstalled', 'equals', 'b')),
  ],
  [
    'status:online tags:vip seen:<7d (os:windows OR os:linux) -role:printer chrome',
    and(
      is('status', 'equals', 'online'),
      is('tags', 'contains', 'vip'),
      is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }),
      or(is('osType', 'equals', 'windows'), is('osType', 'equals', 'linux')),
      is('deviceRole', 'notEquals', 'printer'),
      bare('chrome'),
    ),
  ],
])('%s is a group', (text, group) => {
  expect(readText(text)).toStrictEqual(group);
});

test('a title that needs quotes is printed with them', () => {
  const print = (name: string) => {
    const group = and({ field: keyOfTitle(name), operator: 'lessThan', value: '2' });
    return formatConditions(parseFilter(group));
  };
  expect(['Google Chrome', 'a]b', 'a"b', 'a:b', 'a\\b', '"'].map(print)).toStrictEqual([
    'software[Google Chrome].version:<2',
    'software["a]b"].version:<2',
    'software["a\\"b"].version:<2',
    'software["a:b"].version:<2',
    'software[a\\b].version:<2',
    'software["\\""].version:<2',
  ]);
});
