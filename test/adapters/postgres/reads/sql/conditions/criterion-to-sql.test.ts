/**
 * What each operator becomes in SQL on each kind of field, with the whole condition as it is sent. The differential
 * tests check what the conditions find.
 */
import { describe, expect, test } from 'vitest';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { FoundIds, TitleIds } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import type { OrgId } from '#domain/ids.ts';
import { and, parseFilter } from '#test/support/filters.ts';

const AT = Date.UTC(2026, 2, 31, 12);

const ORG_A = '0198f0c0-0000-7000-8000-0000000000a1' as OrgId;
const ORG_B = '0198f0c0-0000-7000-8000-0000000000a2' as OrgId;

const CATALOG = buildCatalog(
  resolveCustomFields(
    (
      [
        ['note', 'text', [ORG_A]],
        ['seats', 'number', [ORG_A, ORG_B]],
        ['leased', 'boolean', [ORG_A]],
        ['ring', 'dropdown', [ORG_A]],
        ['bought', 'date', [ORG_A]],
      ] as const
    ).map(([key, type, orgIds]) => ({
      key,
      label: key,
      type,
      choices: type === 'dropdown' ? ['alpha', "b'eta"] : [],
      owner: 'organization',
      orgIds,
    })),
  ),
);

const TITLE_IDS: TitleIds = new Map([
  ['name zoom', found(7)],
  ['name xcode', found(8, 9)],
  ['like %zoom%', found(7, 11)],
  [
    'versions zoom',
    { ids: [-3, -2, -1], versionKeys: ['5', '6.1', '6.2'].map((text) => versionKey(text) ?? '') },
  ],
]);

function found(...ids: number[]): FoundIds {
  return { ids, versionKeys: [] };
}

/** A condition as `field operator value`, the value in JSON. */
type Row = readonly [condition: string, sql: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'a text': [
    ['hostname equals "Web-01"', "d.hostname = 'Web-01'::text"],
    ['displayName notEquals "Web-01"', "(d.display_name = 'Web-01'::text) is not true"],
    ['hostname notEquals "Web-01"', "not (d.hostname = 'Web-01'::text)"],
    ['displayName in ["a","B c",""]', `d.display_name = any('{"a","B c",""}'::text[])`],
    ['displayName notIn ["a","b"]', `(d.display_name = any('{"a","b"}'::text[])) is not true`],
    ['hostname contains "WEB"', "d.hostname_lc like '%web%'"],
    ['hostname contains "WE"', `d.hostname_lc collate "POSIX" like '%we%'`],
    ['hostname startsWith "WE"', "d.hostname_lc like 'we%'"],
    ['displayName contains "Web"', `coalesce(d.display_name_lc, d.display_name collate "C") like '%web%'`],
    [
      'displayName notContains "Web"',
      `(coalesce(d.display_name_lc, d.display_name collate "C") like '%web%') is not true`,
    ],
    ['displayName startsWith "Web"', `coalesce(d.display_name_lc, d.display_name collate "C") like 'web%'`],
    ['displayName endsWith "01"', `coalesce(d.display_name_lc, d.display_name collate "C") like '%01'`],
    ['displayName contains ""', 'd.display_name is not null'],
    ['displayName matches "[wv]e"', "d.display_name ~ '[wv]e' collate patterns"],
    [
      'hostname matches "Web-[0-9]+$"',
      "((d.hostname_lc like '%web-%') and d.hostname ~ 'Web-[0-9]+$' collate patterns)",
    ],
    [
      'hostname matches "^(a|B)c"',
      "((d.hostname_lc like 'ac%' or d.hostname_lc like 'bc%') and (d.hostname ~ '^(a|B)c' collate patterns) is true)",
    ],
    [
      'hostname matches "^ab.[cd]Ef"',
      "((d.hostname_lc like 'ab%') and (d.hostname_lc like '%ef%') is true and (d.hostname ~ '^ab.[cd]Ef' collate patterns) is true)",
    ],
    [
      'hostname matches "abc.de"',
      "((d.hostname_lc like '%abc%') and (d.hostname_lc like '%de%') is true and d.hostname ~ 'abc.de' collate patterns)",
    ],
    ['displayName isNull', 'not (d.display_name is not null)'],
    ['displayName isNotNull', 'd.display_name is not null'],
    ['hardware.model equals "X1"', "h.model = 'X1'::text"],
  ],
  'a text with characters that SQL or LIKE reads otherwise': [
    [String.raw`displayName equals "O'Brien\\"`, String.raw`d.display_name =  E'O''Brien\\'::text`],
    [
      String.raw`displayName contains "50%_\\x"`,
      String.raw`coalesce(d.display_name_lc, d.display_name collate "C") like  E'%50\\%\\_\\\\x%'`,
    ],
    [
      String.raw`displayName in ["a\"b","c\\d","e'f","{g,h}"]`,
      String.raw`d.display_name = any( E'{"a\\"b","c\\\\d","e''f","{g,h}"}'::text[])`,
    ],
    [String.raw`displayName matches "'\\d"`, String.raw`d.display_name ~  E'''\\d' collate patterns`],
  ],
  'an id': [
    [`orgId equals "${ORG_A}"`, `d.org_id = '${ORG_A}'::uuid`],
    [`siteId in ["${ORG_A}","${ORG_B}"]`, `d.site_id = any('{"${ORG_A}","${ORG_B}"}'::uuid[])`],
  ],
  'an enum': [
    ['status equals "online"', "d.status = 'online'::device_status"],
    ['status notEquals "online"', "not (d.status = 'online'::device_status)"],
    [
      'watchdogStatus notIn ["connected","failover"]',
      `(d.watchdog_status = any('{"connected","failover"}'::watchdog_status[])) is not true`,
    ],
    ['osType in ["windows","linux"]', `d.os_type = any('{"windows","linux"}'::os_type[])`],
  ],
  'a boolean': [
    ['isHeadless equals true', 'd.is_headless = true'],
    ['isHeadless notEquals true', '(d.is_headless = true) is not true'],
    ['isHeadless isNull', 'not (d.is_headless is not null)'],
    ['patches.pending equals true', '(d.pending_patches > 0)'],
    ['patches.pending equals false', 'not (d.pending_patches > 0)'],
    ['system.rebootRequired notEquals true', 'not (d.reboot_required)'],
  ],
  'a number': [
    ['uptimeSeconds equals 60', "d.uptime_seconds = '60'::float8"],
    ['uptimeSeconds notEquals "1.5"', "(d.uptime_seconds = '1.5'::float8) is not true"],
    ['uptimeSeconds greaterThan 1', "d.uptime_seconds > '1'::float8"],
    ['uptimeSeconds greaterThanOrEquals 1', "d.uptime_seconds >= '1'::float8"],
    ['uptimeSeconds lessThan -1', "d.uptime_seconds < '-1'::float8"],
    ['uptimeSeconds lessThanOrEquals 1', "d.uptime_seconds <= '1'::float8"],
    [
      'hardware.ramTotalMb between {"from":1024,"to":2048}',
      "h.ram_total_mb >= '1024'::float8 and h.ram_total_mb <= '2048'::float8",
    ],
    ['uptimeSeconds isNull', 'not (d.uptime_seconds is not null)'],
  ],
  'an instant': [
    [
      'lastSeenAt equals "2026-02-10"',
      "(z.last_seen_at >= '2026-02-10T00:00:00.000Z'::timestamptz and z.last_seen_at < '2026-02-11T00:00:00.000Z'::timestamptz)",
    ],
    [
      'lastSeenAt notEquals "2026-02-10T08:00:00Z"',
      "((z.last_seen_at >= '2026-02-10T08:00:00.000Z'::timestamptz and z.last_seen_at < '2026-02-10T08:00:00.001Z'::timestamptz)) is not true",
    ],
    ['lastSeenAt before "2026-02-10"', "(z.last_seen_at < '2026-02-10T00:00:00.000Z'::timestamptz)"],
    ['lastSeenAt after "2026-02-10"', "(z.last_seen_at >= '2026-02-11T00:00:00.000Z'::timestamptz)"],
    [
      'lastSeenAt between {"from":"2026-02-01","to":"2026-02-10"}',
      "(z.last_seen_at >= '2026-02-01T00:00:00.000Z'::timestamptz and z.last_seen_at < '2026-02-11T00:00:00.000Z'::timestamptz)",
    ],
    ['lastSeenAt after "9999-12-31"', 'false'],
    [
      'lastSeenAt withinLast {"amount":7,"unit":"days"}',
      "(z.last_seen_at >= '2026-03-24T12:00:00.000Z'::timestamptz)",
    ],
    [
      'lastSeenAt notWithinLast {"amount":1,"unit":"months"}',
      "((z.last_seen_at >= '2026-02-28T12:00:00.000Z'::timestamptz)) is not true",
    ],
    [
      'lastSeenAt withinLast {"amount":9999,"unit":"months"}',
      "(z.last_seen_at >= '1192-12-31T12:00:00.000Z'::timestamptz)",
    ],
    ['lastSeenAt withinLast {"amount":99999,"unit":"months"}', 'z.last_seen_at is not null'],
    [
      'daysSinceLastSeen equals 7',
      "(z.last_seen_at >= '2026-03-23T12:00:00.001Z'::timestamptz and z.last_seen_at < '2026-03-24T12:00:00.001Z'::timestamptz)",
    ],
    ['daysSinceLastSeen greaterThan 30', "(z.last_seen_at < '2026-03-01T12:00:00.000Z'::timestamptz)"],
    ['quarantinedAt isNotNull', 'd.quarantined_at is not null'],
  ],
  rows: [
    [
      'network.ipAddress equals "10.0.0.5"',
      "exists (select 1 from device_network n where n.device_id = d.id and n.ip_address = '10.0.0.5'::text)",
    ],
    [
      'network.ipAddress notEquals "10.0.0.5"',
      "not (exists (select 1 from device_network n where n.device_id = d.id and n.ip_address = '10.0.0.5'::text))",
    ],
    [
      'network.macAddress contains "AB"',
      `exists (select 1 from device_network n where n.device_id = d.id and coalesce(n.mac_address_lc, n.mac_address collate "C") like '%ab%')`,
    ],
    [
      'network.publicIp isNull',
      'not (exists (select 1 from device_network n where n.device_id = d.id and n.public_ip is not null))',
    ],
  ],
  'a list': [
    ['tags contains "vpn"', `d.tags && '{"vpn"}'::text[]`],
    ['tags hasAny ["vpn","lab"]', `d.tags && '{"vpn","lab"}'::text[]`],
    ['tags hasAll ["vpn","lab"]', `d.tags @> '{"vpn","lab"}'::text[]`],
    ['tags isEmpty', "d.tags = '{}'"],
    ['tags isNotEmpty', "not (d.tags = '{}')"],
  ],
  software: [
    ['software.installed equals "Zoom"', "s.title_ids && '{7}'::int4[]"],
    ['software.installed contains "zoom"', "s.title_ids && '{7,11}'::int4[]"],
    ['software.installed notContains "zoom"', "(s.title_ids && '{7,11}'::int4[]) is not true"],
    ['software.installed in ["Zoom","xcode","unknown"]', "s.title_ids && '{7,8,9}'::int4[]"],
    [
      'software.installed hasAll ["Zoom","xcode"]',
      "(s.title_ids && '{7}'::int4[] and s.title_ids && '{8,9}'::int4[])",
    ],
    // The same statement, whether nobody has a name or only other tenants do.
    ['software.installed equals "unknown"', "s.title_ids && '{0}'::int4[]"],
    ['software.installed contains "unknown"', "s.title_ids && '{0}'::int4[]"],
    ['software.installed in ["unknown","unheard of"]', "s.title_ids && '{0}'::int4[]"],
    [
      'software.installed hasAll ["Zoom","unknown"]',
      "(s.title_ids && '{7}'::int4[] and s.title_ids && '{0}'::int4[])",
    ],
    ['software.notInstalled equals "unknown"', "(s.title_ids && '{0}'::int4[]) is not true"],
    ['software.notInstalled equals "Zoom"', "(s.title_ids && '{7}'::int4[]) is not true"],
    ['software.notInstalled in []', 'false'],
    ['software[Zoom].version lessThan "6.2"', "s.title_ids && '{-3,-2}'::int4[]"],
    ['software[ZOOM].version between {"from":"6","to":"6.1.0"}', "s.title_ids && '{-2}'::int4[]"],
    ['software[Zoom].version in ["5.0","6.2"]', "s.title_ids && '{-3,-1}'::int4[]"],
    ['software[Zoom].version notEquals "5"', "(s.title_ids && '{-3}'::int4[]) is not true"],
    ['software[Zoom].version isNull', "(s.title_ids && '{-3,-2,-1}'::int4[]) is not true"],
    ['software[Xcode].version isNotNull', "s.title_ids && '{0}'::int4[]"],
  ],
  'a custom field': [
    [
      'custom.note equals "x"',
      `(case when d.org_id = '${ORG_A}'::uuid and jsonb_typeof(d.custom -> 'note') = 'string' then d.custom ->> 'note' end) = 'x'::text`,
    ],
    [
      'custom.note contains "X"',
      `coalesce((case when d.org_id = '${ORG_A}'::uuid and jsonb_typeof(d.custom -> 'note') = 'string' then d.custom_derived -> 'lc' ->> 'note' end), (case when d.org_id = '${ORG_A}'::uuid and jsonb_typeof(d.custom -> 'note') = 'string' then d.custom ->> 'note' end)) collate "C" like '%x%'`,
    ],
    [
      'custom.seats greaterThan 5',
      `(case when d.org_id = any('{${ORG_A},${ORG_B}}'::uuid[]) and jsonb_typeof(d.custom -> 'seats') = 'number' then (d.custom ->> 'seats')::float8 end) > '5'::float8`,
    ],
    [
      'custom.leased equals true',
      `(case when d.org_id = '${ORG_A}'::uuid and jsonb_typeof(d.custom -> 'leased') = 'boolean' then (d.custom ->> 'leased')::boolean end) = true`,
    ],
    [
      `custom.ring in ["alpha","b'eta"]`,
      `(case when d.org_id = '${ORG_A}'::uuid and jsonb_typeof(d.custom -> 'ring') = 'string' and d.custom ->> 'ring' = any('{"alpha","b''eta"}'::text[]) then d.custom ->> 'ring' end) = any('{"alpha","b''eta"}'::text[])`,
    ],
    [
      'custom.bought before "2026-02-10"',
      `((case when d.org_id = '${ORG_A}'::uuid and true then (d.custom_derived -> 'at' ->> 'bought')::float8 end) < '1770681600000'::float8)`,
    ],
    [
      'custom.bought notWithinLast {"amount":1,"unit":"days"}',
      `(((case when d.org_id = '${ORG_A}'::uuid and true then (d.custom_derived -> 'at' ->> 'bought')::float8 end) >= '1774872000000'::float8)) is not true`,
    ],
  ],
};

describe.each(Object.entries(ROWS))('on %s', (_kind, rows) => {
  test.each(rows)('%s', (condition, sql) => {
    const [, field = '', operator = '', value] = /^(\S+) (\S+)(?: (.*))?$/.exec(condition) ?? [];
    const group = and({ field, operator, ...(value !== undefined && { value: JSON.parse(value) }) });
    const root = simplifyConditions(parseFilter(group, CATALOG));
    expect(filterToSql(root, { at: AT, titleIds: TITLE_IDS }).condition).toBe(sql);
  });
});

test('a thousand names have a condition each, even with an unknown one; more names share one', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `Tool ${i}`);
  const titleIds: TitleIds = new Map(names.map((name, i) => [`name ${name.toLowerCase()}`, found(i + 1)]));
  const conditionOf = (value: readonly string[]) => {
    const group = and({ field: 'software.installed', operator: 'hasAll', value });
    return filterToSql(simplifyConditions(parseFilter(group, CATALOG)), { at: AT, titleIds }).condition;
  };
  const shapeOf = (value: readonly string[]) => conditionOf(value).replace(/\d+(?=\}')/g, 'ID');
  expect(shapeOf([...names.slice(1), 'unknown'])).toBe(shapeOf(names));
  expect(conditionOf([...names, 'unknown'])).toBe("s.title_ids && '{0}'::int4[]");
});
