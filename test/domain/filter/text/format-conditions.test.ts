/** How hand-made conditions are printed: each awkward value, and each operator without a sign (Contract: §11). */
import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { printPattern } from '#domain/filter/text/print/print-condition.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { ACME_IDS, readText, TEXT_CATALOG } from './text-catalog.ts';

function format(raw: unknown): string {
  return formatConditions(parseFilter(raw, TEXT_CATALOG));
}

test.each<[string, string, unknown, string]>([
  ['hostname', 'contains', 'web', 'host:web'],
  ['hostname', 'notContains', 'web', '-host:web'],
  ['hostname', 'contains', '', 'host:""'],
  ['hostname', 'contains', 5, 'host:5'],
  ['hostname', 'contains', 1e-7, 'host:0.0000001'],
  ['hostname', 'contains', 'a b', 'host:"a b"'],
  ['hostname', 'contains', 'a"b\\', 'host:"a\\"b\\\\"'],
  ['hostname', 'contains', 'a\\', 'host:a\\'],
  ['hostname', 'contains', 'a(b', 'host:"a(b"'],
  ['hostname', 'contains', 'a:b,c', 'host:a:b,c'],
  ['hostname', 'contains', '=a', 'host:"=a"'],
  ['hostname', 'contains', '/a/', 'host:"/a/"'],
  ['hostname', 'contains', 'a*', 'host:"a*"'],
  ['hostname', 'contains', 'none', 'host:"none"'],
  ['hostname', 'contains', '\u00a0', 'host:"\u00a0"'],
  ['hostname', 'contains', '\u200d', 'host:"\u200d"'],
  ['hostname', 'contains', 'Straße', 'host:Straße'],
  ['hostname', 'contains', '😀', 'host:😀'],
  ['hostname', 'contains', '[a', 'host:"[a"'],
  ['hostname', 'contains', 'a]', 'host:a]'],
  ['hostname', 'equals', '', 'host:=""'],
  ['hostname', 'equals', 'a,b', 'host:="a,b"'],
  ['hostname', 'equals', '[]', 'host:="[]"'],
  ['hostname', 'notEquals', 'Web', '-host:=Web'],
  ['hostname', 'startsWith', 'a', 'host:a*'],
  ['hostname', 'startsWith', '', 'host:""*'],
  ['hostname', 'startsWith', '*', 'host:"*"*'],
  ['hostname', 'endsWith', 'a b', 'host:*"a b"'],
  ['hostname', 'matches', 'a/b (c)', 'host:/a\\/b (c)/'],
  ['hostname', 'matches', '', 'host://'],
  ['hostname', 'in', [], 'host:=[]'],
  ['hostname', 'in', ['a'], 'host:=a'],
  ['hostname', 'in', ['a', 'b c', 'd,e', ''], 'host:=a,"b c","d,e",""'],
  ['hostname', 'notIn', [], '-host:=[]'],
  ['hostname', 'notIn', ['a', 'b'], '-host:=a,b'],
  ['displayName', 'isNull', undefined, 'name:none'],
  ['displayName', 'isNotNull', null, 'name:any'],
  ['status', 'equals', 'online', 'status:online'],
  ['status', 'notEquals', 'online', '-status:online'],
  ['status', 'in', ['online', 'offline'], 'status:online,offline'],
  ['status', 'notIn', ['online'], '-status:online'],
  ['status', 'in', [], 'host:=[]'],
  ['status', 'notIn', [], '-host:=[]'],
  ['custom.ring', 'equals', 'none', 'custom.ring:"none"'],
  ['custom.ring', 'in', ['a,b', '>5'], 'custom.ring:"a,b",">5"'],
  ['isHeadless', 'equals', 'true', 'isHeadless:yes'],
  ['isHeadless', 'notEquals', false, '-isHeadless:no'],
  ['system.rebootRequired', 'equals', true, 'reboot:yes'],
  ['metrics.cpuPercent', 'equals', '007.50', 'cpu:7.5'],
  ['metrics.cpuPercent', 'notEquals', -1, '-cpu:-1'],
  ['metrics.cpuPercent', 'greaterThan', 1e-7, 'cpu:>0.0000001'],
  ['metrics.cpuPercent', 'between', { from: '-2', to: 5 }, 'cpu:-2..5'],
  ['lastSeenAt', 'equals', '2026-02-10', 'seen:2026-02-10'],
  ['lastSeenAt', 'before', '2026-02-10T08:00Z', 'seen:<2026-02-10T08:00Z'],
  ['lastSeenAt', 'after', '2026-02-10', 'seen:>2026-02-10'],
  ['lastSeenAt', 'between', { from: '2026-02-10', to: '2026-02-11' }, 'seen:2026-02-10..2026-02-11'],
  ['lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }, 'seen:<7d'],
  ['lastSeenAt', 'notWithinLast', { amount: 0.5, unit: 'minutes' }, 'seen:>0.5min'],
  ['lastSeenAt', 'withinLast', { amount: 1e22, unit: 'months' }, 'seen:<10000000000000000000000mo'],
  ['tags', 'contains', 'vip', 'tags:vip'],
  ['tags', 'contains', 'a,b', 'tags:"a,b"'],
  ['tags', 'contains', 'none', 'tags:"none"'],
  ['tags', 'hasAny', [], 'tags.name:=[]'],
  ['tags', 'hasAny', ['a'], 'tags:a'],
  ['tags', 'hasAny', ['a', 'a', 'b'], 'tags:a,b'],
  ['tags', 'hasAll', ['a', 'b]'], 'tags:[a,"b]"]'],
  ['tags', 'hasAll', [], 'tags:[]'],
  ['tags', 'isEmpty', undefined, 'tags:none'],
  ['tags', 'isNotEmpty', undefined, 'tags:any'],
  ['tags.name', 'notEquals', 'a', '-tags:a'],
  ['tags.name', 'notIn', ['a', 'b'], '-tags:a,b'],
  ['tags.name', 'notIn', [], '-tags.name:=[]'],
  ['tags.name', 'equals', 'a', 'tags.name:=a'],
  ['tags.name', 'isNull', undefined, 'tags.name:none'],
  ['software.installed', 'hasAny', ['a', 'b'], 'software:=a,b'],
  ['software.installed', 'hasAll', ['a', 'b'], 'software:[a,b]'],
  ['software.installed', 'hasAll', [], 'software:[]'],
  ['software.notInstalled', 'hasAny', [], 'software.notInstalled:=[]'],
  ['software.notInstalled', 'contains', 'x', 'software.notInstalled:x'],
  ['orgId', 'equals', ACME_IDS[0].toUpperCase(), `org:${ACME_IDS[0]}`],
  ['siteId', 'in', [ACME_IDS[0], ACME_IDS[1]], `site:=${ACME_IDS[0]},${ACME_IDS[1]}`],
  ['siteId', 'in', [], 'site:=[]'],
])('%s %s %j is printed as %s', (field, operator, value, text) => {
  const raw = and({ field, operator, ...(value !== undefined && { value }) });
  expect(format(raw)).toBe(text);
  expect(format(readText(text))).toBe(text);
});

const A: RawCondition = { field: 'hostname', operator: 'contains', value: 'a' };
const B: RawCondition = { field: 'hostname', operator: 'contains', value: 'b' };
const C: RawCondition = { field: 'hostname', operator: 'contains', value: 'c' };

function names(operator: string, ...values: readonly unknown[]): readonly RawCondition[] {
  return ['hostname', 'displayName', 'lastUser'].map((field, i) => ({
    field,
    operator,
    value: values[i] ?? values[0],
  }));
}

const DAY = '2026-02-10';
const seen = (operator: string): RawCondition => ({ field: 'lastSeenAt', operator, value: DAY });

test.each<[RawGroup, string]>([
  [and(A, B), 'host:a host:b'],
  [or(A, B), 'host:a OR host:b'],
  [or(A, and(B, C)), 'host:a OR (host:b host:c)'],
  [and(or(A, B), C), '(host:a OR host:b) host:c'],
  [and(and(A, B), and(C)), 'host:a host:b host:c'],
  [or(and(or(and(A)))), 'host:a'],
  [or(...names('contains', 'x')), 'x'],
  [or(...names('contains', 'x', 5)), 'host:x OR name:5 OR user:x'],
  [or(...names('contains', 5, '5')), '5'],
  [or(...names('contains', 'a:b')), '"a:b"'],
  [or(...names('contains', '-a')), '"-a"'],
  [or(...names('contains', 'AND')), '"AND"'],
  [and(...names('notContains', 'x')), '-x'],
  [and(...names('contains', 'x')), 'host:x name:x user:x'],
  [and(A, or(...names('contains', 'x')), and(...names('notContains', 'y'))), 'host:a x -y'],
  [or(or(...names('contains', 'x').slice(0, 2)), ...names('contains', 'x').slice(2)), 'x'],
  [or(seen('after'), seen('equals')), `seen:>=${DAY}`],
  [or(seen('before'), seen('equals')), `seen:<=${DAY}`],
  [or(seen('equals'), seen('before')), `seen:${DAY} OR seen:<${DAY}`],
  [and(A, or(seen('after'), seen('equals'))), `host:a seen:>=${DAY}`],
  [and(seen('after'), seen('equals')), `seen:>${DAY} seen:${DAY}`],
])('%j is printed as %s', (raw, text) => {
  expect(format(raw)).toBe(text);
  expect(format(readText(text))).toBe(text);
});

test('the example of the contract is printed as it was written', () => {
  const text = 'status:online tags:vip seen:<7d (os:windows OR os:linux) -role:printer chrome';
  expect(format(readText(text))).toBe(text);
});

/** A backslash before a slash, or alone at the end, cannot stand between slashes. */
test.each<[string, string]>([
  ['a\\/b', '/a\\/b/'],
  ['[\\/]', '/[\\/]/'],
  ['a\\\\/b', '/a\\\\\\/b/'],
  ['a\\\\', '/a\\\\/'],
  ['\\c\\/', '/\\u001C\\//'],
  ['\\c\\', '/\\u001C/'],
  ['***=a\\', '/a\\\\/'],
  ['***=a.\\/', '/a\\.\\\\\\//'],
  ['(?q)a\\/', '/a\\\\\\//'],
  ['(?iq)A\\/', '/(?i)A\\\\\\//'],
  ['***:(?e)[\\/]', '/***:(?e)[[.\\.]\\/]/'],
  ['(?b)x\\/[^\\/\\]', '/(?b)x\\/[^[.\\.]\\/[.\\.]]/'],
  ['a\\', '/a[/'],
])('the pattern %s is printed as %s', (pattern, text) => {
  expect(printPattern(pattern)).toBe(text);
  const parsed = readText(`host:${text}`).conditions[0] as { readonly value: string };
  const [before, after] = [translatePattern(pattern), translatePattern(parsed.value)];
  expect(after.ok).toBe(before.ok);
  if (!before.ok || !after.ok) return;
  for (const sample of [
    '',
    'a',
    'a/b',
    'a\\/b',
    'a\\',
    '/',
    '\\',
    'a.\\/',
    'A\\/',
    '\u001c/',
    '\u001c',
    'x/b',
    'x/\\',
  ]) {
    expect(after.value(sample), sample).toBe(before.value(sample));
  }
});
