/** How criteria are put together into one SQL condition, written out as it is sent. */
import { describe, expect, test } from 'vitest';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES, titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { OrgId } from '#domain/ids.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';

const A: RawCondition = { field: 'osBuild', operator: 'equals', value: 'a' };
const B: RawCondition = { field: 'osVersion', operator: 'notEquals', value: 'b' };
const C: RawCondition = { field: 'hostname', operator: 'startsWith', value: 'c' };
const TAG: RawCondition = { field: 'tags', operator: 'hasAny', value: ['t'] };
const ZOOM: RawCondition = { field: 'software.installed', operator: 'equals', value: 'Zoom' };
const CORES: RawCondition = { field: 'hardware.cpuCores', operator: 'greaterThan', value: 4 };
const RECENT: RawCondition = {
  field: 'lastSeenAt',
  operator: 'withinLast',
  value: { amount: 1, unit: 'hours' },
};
const address = (value: string): RawCondition => ({ field: 'network.ipAddress', operator: 'equals', value });

function compile(group: RawGroup) {
  return filterToSql(simplifyConditions(parseFilter(group)), {
    at: 0,
    titleIds: new Map([['name zoom', { ids: [7], versionKeys: [] }]]),
  });
}

test.each<[string, RawGroup, string]>([
  ['AND', and(A, C), "(d.os_build = 'a'::text and d.hostname_lc like 'c%')"],
  [
    'OR with a negation in it',
    or(A, B),
    "(d.os_build = 'a'::text or (d.os_version = 'b'::text) is not true)",
  ],
  [
    'groups within groups, conditions first',
    and(or(A, and(B, C)), TAG),
    "(d.tags && '{\"t\"}'::text[] and (d.os_build = 'a'::text or ((d.os_version = 'b'::text) is not true and d.hostname_lc like 'c%')))",
  ],
  ['a group of one', and(or(and(A))), "d.os_build = 'a'::text"],
  ['alternatives of one field', or(A, { ...A, value: 'z' }), 'd.os_build = any(\'{"a","z"}\'::text[])'],
  [
    'exclusions of one field',
    and(B, { ...B, value: 'z' }),
    '(d.os_version = any(\'{"b","z"}\'::text[])) is not true',
  ],
  ['what always holds', or(A, { field: 'hostname', operator: 'notIn', value: [] }), 'true'],
  ['what never holds', and(A, { field: 'tags', operator: 'hasAny', value: [] }), 'false'],
  [
    'days of one field',
    or(...['2026-02-01', '2026-02-03'].map((value) => ({ field: 'enrolledAt', operator: 'equals', value }))),
    "d.enrolled_at <@ '{[2026-02-01T00:00:00.000Z,2026-02-02T00:00:00.000Z),[2026-02-03T00:00:00.000Z,2026-02-04T00:00:00.000Z)}'::tstzmultirange",
  ],
])('a filter becomes SQL: %s', (_name, group, sql) => {
  expect(compile(group).condition).toBe(sql);
});

const named = (operator: string, value: string): RawCondition => ({ field: 'hostname', operator, value });
const PATTERN = '^srv-(sql|DB|sql-)-[a-z]+$';

test.each<[string, RawGroup, readonly string[]]>([
  ['a beginning', and(named('startsWith', 'Srv_')), ['srv\\\\_%']],
  ['every beginning that a pattern demands', and(named('matches', '^(ap|DB)-x')), ['ap-x%', 'db-x%']],
  [
    'only beginnings that do not begin with another one',
    and(named('matches', PATTERN)),
    ['srv-sql-%', 'srv-db-%'],
  ],
  [
    'a beginning beside other conditions on host names',
    and(named('contains', 'z'), named('startsWith', 'a')),
    ['a%'],
  ],
  ['none beside a condition on another field', and(A, C), []],
  ['none for an alternative', or(named('startsWith', 'a'), named('endsWith', 'b')), []],
  ['none for an exclusion', and(named('notContains', 'z'), named('endsWith', 'a')), []],
  ['none for a pattern that demands no beginning', and(named('matches', 'srv')), []],
])('ranges of host names: %s', (_name, group, beginnings) => {
  expect(compile(group).ranges).toStrictEqual(
    beginnings.map((text) => `d.hostname_lc like ${text.includes('\\') ? ' E' : ''}'${text}'`),
  );
});

test('more than eight subqueries on other tables are kept from becoming joins', () => {
  const look = (value: string) =>
    `exists (select 1 from device_network n where n.device_id = d.id and n.ip_address = '${value}'::text)`;
  const values = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const eight = values.slice(0, 8);
  expect(compile(and(...eight.map(address))).condition).toBe(`(${eight.map(look).join(' and ')})`);
  expect(compile(and(...values.map(address))).condition).toBe(
    `(${values.map((value) => `(${look(value)}) is true`).join(' and ')})`,
  );
});

test('more than a hundred values are looked up in a list rather than compared with it', () => {
  const value = Array.from({ length: 101 }, (_, i) => `t${i}`);
  const literal = `'{${value.map((text) => `"${text}"`).join(',')}}'::text[]`;
  expect(compile(and({ ...TAG, value })).condition).toBe(
    `exists (select 1 from unnest(d.tags) e where e = any(${literal}))`,
  );
  expect(compile(and({ ...TAG, operator: 'hasAll', value })).condition).toBe(
    `(cardinality(d.tags) >= '101'::float8 and d.tags @> ${literal})`,
  );
});

describe('a deep filter', () => {
  const sqlOfA = "d.os_build = 'a'::text";
  const sqlOfTag = 'd.tags && \'{"t"}\'::text[]';

  function nest(levels: number, innermost: RawGroup): RawGroup {
    let group = innermost;
    for (let level = 0; level < levels; level++) group = level % 2 === 0 ? or(A, group) : and(TAG, group);
    return group;
  }

  function parenthesised(levels: number, innermost: string): string {
    let text = innermost;
    for (let level = 0; level < levels; level++) {
      text = level % 2 === 0 ? `(${sqlOfA} or ${text})` : `(${sqlOfTag} and ${text})`;
    }
    return text;
  }

  const innermost = "(d.tags && '{\"t\"}'::text[] and d.hostname_lc like 'c%')";

  test('has parentheses for 64 levels', () => {
    expect(compile(nest(63, and(TAG, C))).condition).toBe(parenthesised(63, innermost));
  });

  test('has one flat CASE for the levels above, which decides from left to right', () => {
    expect(compile(nest(67, and(TAG, C))).condition).toBe(
      `(case when ${sqlOfA} then true when (${sqlOfTag}) is not true then false when ${sqlOfA} then true when (${sqlOfTag}) is not true then false else ${parenthesised(63, innermost)} end)`,
    );
  });
});

test('a compiled filter says which tables it joins, and what it depends on', () => {
  const facts = (group: RawGroup) => {
    const { joins, isRelative, narrow, looksSelective } = compile(group);
    return { joins: [...joins], isRelative, narrow, looksSelective };
  };
  expect(
    [and(A), and(CORES, RECENT), or(ZOOM), and({ ...ZOOM, field: 'software.notInstalled' })].map(facts),
  ).toStrictEqual([
    { joins: [], isRelative: false, narrow: null, looksSelective: true },
    { joins: ['hardware', 'state'], isRelative: true, narrow: null, looksSelective: false },
    { joins: ['software'], isRelative: false, narrow: 'software', looksSelective: true },
    { joins: ['software'], isRelative: false, narrow: null, looksSelective: false },
  ]);
});

describe('the narrow table for counting devices', () => {
  const is = (field: string, operator: string, value: unknown) => ({ field, operator, value });
  const STATE = is('metrics.cpuPercent', 'greaterThan', 90);
  const NAME = is('hostname', 'notContains', 'srv');
  const STATUS = is('status', 'notEquals', 'online');
  test.each<readonly [CompiledFilter['narrow'], string, RawGroup]>([
    ['state', 'if every device matches', and(is('hostname', 'notIn', []))],
    ['state', 'for volatile fields', and(STATE, is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' }))],
    [
      'state',
      'for words and flags',
      and(STATUS, is('osType', 'equals', 'linux'), is('patches.pending', 'equals', true)),
    ],
    ['names', 'for names without a text', and(NAME, STATUS, is('displayName', 'notContains', 'x'))],
    ['names', 'for the beginning of every name', and(is('displayName', 'startsWith', 'x'))],
    ['software', 'for installed software', or(ZOOM, { ...ZOOM, operator: 'contains' })],
    [
      null,
      'for a text that is rare among names, which an index finds',
      and(is('hostname', 'contains', 'srv')),
    ],
    [null, 'for names and volatile fields together', and(NAME, STATE)],
    [null, 'for host names in their original case', and(is('hostname', 'notEquals', 'x'))],
    [
      null,
      'for the empty text, which needs host names in their original case',
      and(is('hostname', 'notContains', '')),
    ],
    [null, 'for missing software', and({ ...ZOOM, field: 'software.notInstalled' })],
    [null, 'for tags', and(STATE, TAG)],
  ])('is %s %s', (narrow, _what, group) => {
    expect(compile(group).narrow).toBe(narrow);
  });
});

test('names and patterns of software are looked up once each, folded and escaped', () => {
  const root = parseFilter(
    and(ZOOM, { ...ZOOM, value: 'ZOOM' }, { ...ZOOM, operator: 'contains', value: '100%_\\' }, A),
  );
  expect(titleLookups(root)).toStrictEqual({
    names: new Set(['zoom']),
    patterns: new Set(['%100\\%\\_\\\\%']),
    versions: new Set(),
  });
  expect(titleLookups(parseFilter(and(A)))).toBeNull();
});

describe('the whole statement of a preview', () => {
  const orgId = '0198f0c0-0000-7000-8000-0000000000a1' as OrgId;
  const filter = filterToSql(simplifyConditions(parseFilter(and(A, CORES))), { at: 0, titleIds: NO_TITLES });
  const matching = `from device d left join device_hardware h on h.device_id = d.id and h.org_id = '${orgId}'::uuid where d.org_id = '${orgId}'::uuid and ((d.os_build = 'a'::text and h.cpu_cores > '4'::float8))`;

  test.each([
    [
      'split' as const,
      `with p as (select d.id, d.hostname, d.display_name, d.os_type, d.status, d.hostname_lc ${matching} order by d.hostname_lc, d.id limit 10) select c.total, p.id, p.hostname, p.display_name, p.os_type, p.status, (select (extract(epoch from z.last_seen_at) * 1000)::int8 from device_state z where z.id = p.id) from (select count(*) as total ${matching}) c left join p on true order by p.hostname_lc, p.id`,
    ],
    [
      'materialized' as const,
      `with m as materialized (select d.id, d.hostname_lc ${matching}), p as (select id, hostname_lc from m order by hostname_lc, id limit 10) select c.total, d.id, d.hostname, d.display_name, d.os_type, d.status, (select (extract(epoch from z.last_seen_at) * 1000)::int8 from device_state z where z.id = d.id) from (select count(*) as total from m) c left join (p join device d on d.id = p.id) on true order by p.hostname_lc, p.id`,
    ],
    [
      'windowed' as const,
      `select count(*) over () as total, d.id, d.hostname, d.display_name, d.os_type, d.status, (select (extract(epoch from z.last_seen_at) * 1000)::int8 from device_state z where z.id = d.id) ${matching} order by d.hostname_lc, d.id limit 10`,
    ],
  ])('%s', (shape, text) => {
    const scope = { kind: 'organization', orgId } as const;
    const statement = ScopedStatement.preview(scope, filter, 10, shape);
    expect(statement.text.replaceAll(/\s+/g, ' ')).toBe(text);
    expect(statement.values).toStrictEqual([]);
  });
});
