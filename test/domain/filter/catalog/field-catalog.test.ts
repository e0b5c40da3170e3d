/** The catalog against the tables of the specification and the contract, which are copied here. */
import { expect, test } from 'vitest';
import { CORE_FIELDS } from '#domain/filter/catalog/core-fields.ts';
import { type CustomFieldDefinition, resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { isOperator, OPERATORS } from '#domain/filter/catalog/operator.ts';
import { OPERATORS_BY_TYPE } from '#domain/filter/catalog/operator-matrix.ts';
import type { OrgId } from '#domain/ids.ts';
import { newId } from '#test/support/builders.ts';

function typeOf(key: string): string | null {
  const entry = CORE_CATALOG.get(key);
  return entry?.kind === 'field' ? entry.field.type : null;
}

test.each<[string, readonly string[]]>([
  [
    'string',
    [
      ...['hostname', 'displayName', 'agentVersion', 'lastUser', 'osVersion', 'osBuild', 'lastSeenIp'],
      ...['manufacturer', 'model', 'serialNumber', 'cpuModel', 'gpuModel'].map((key) => `hardware.${key}`),
      ...['ipAddress', 'publicIp', 'macAddress'].map((key) => `network.${key}`),
      ...[
        'software.installed',
        'software.notInstalled',
        'patches.pendingTitle',
        'patches.failedTitle',
        'id',
        'orgId',
        'siteId',
        'filter',
        'tags.name',
      ],
    ],
  ],
  ['enum', ['status', 'deviceRole', 'watchdogStatus', 'osType', 'architecture']],
  ['datetime', ['enrolledAt', 'lastSeenAt', 'quarantinedAt']],
  ['array', ['tags']],
  [
    'boolean',
    [
      'isHeadless',
      'patches.pending',
      'patches.reported',
      'metrics.reported',
      'alerts.critical',
      'system.rebootRequired',
    ],
  ],
  [
    'number',
    [
      ...['uptimeSeconds', 'daysSinceLastSeen', 'daysSinceEnrolled', 'rollout.bucket'],
      ...['cpuCores', 'ramTotalMb', 'diskTotalGb'].map((key) => `hardware.${key}`),
      ...['cpuPercent', 'ramPercent', 'diskPercent'].map((key) => `metrics.${key}`),
    ],
  ],
  ['version', ['agent.version', 'os.version']],
])('the catalog has exactly the specified fields of type %s', (type, keys) => {
  expect([...CORE_CATALOG.keys()].filter((key) => typeOf(key) === type).toSorted()).toStrictEqual(
    keys.toSorted(),
  );
});

test.each([
  ['status', ['online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending']],
  ['watchdogStatus', ['connected', 'failover', 'offline']],
  ['osType', ['windows', 'macos', 'linux']],
  ['architecture', ['x64', 'x86', 'arm64']],
  [
    'deviceRole',
    [
      ...['workstation', 'server', 'printer', 'router', 'switch', 'firewall', 'access_point', 'phone', 'iot'],
      ...['camera', 'nas', 'unknown'],
    ],
  ],
])('the catalog lists the values of %s', (key, values) => {
  const entry = CORE_CATALOG.get(key);
  expect(entry?.kind === 'field' ? entry.field.values : null).toStrictEqual(values);
});

test.each([
  ['software.installed', ['contains', 'notContains', 'equals', 'in', 'hasAny', 'hasAll']],
  ['software.notInstalled', ['contains', 'equals', 'in', 'hasAny']],
  ['orgId', ['equals', 'in']],
  ['id', ['equals', 'in']],
  ['siteId', ['equals', 'in']],
  ['filter', ['equals', 'notEquals', 'in', 'notIn']],
  ['patches.pendingTitle', ['contains', 'notContains', 'equals', 'in', 'hasAny', 'hasAll']],
  ['patches.failedTitle', ['contains', 'notContains', 'equals', 'in', 'hasAny', 'hasAll']],
  ['patches.pending', ['equals', 'notEquals']],
  ['patches.reported', ['equals', 'notEquals']],
  ['metrics.reported', ['equals', 'notEquals']],
  ['alerts.critical', ['equals', 'notEquals']],
  ['system.rebootRequired', ['equals', 'notEquals']],
])('the field %s has its own operators', (key, operators) => {
  const entry = CORE_CATALOG.get(key);
  expect(entry?.kind === 'field' ? entry.field.operators : null).toStrictEqual(operators);
});

test('every other field has the operators of its type', () => {
  const own = new Set(
    Object.entries(CORE_FIELDS)
      .filter(([, field]) => 'operators' in field)
      .map(([key]) => key),
  );
  expect(own.size).toBe(13);
  for (const [key, entry] of CORE_CATALOG) {
    if (entry.kind !== 'field' || own.has(key)) continue;
    expect(entry.field.operators).toBe(OPERATORS_BY_TYPE[entry.field.type]);
  }
});

test.each([
  [
    'string',
    [
      'equals',
      'notEquals',
      'contains',
      'notContains',
      'startsWith',
      'endsWith',
      'matches',
      'in',
      'notIn',
      'isNull',
      'isNotNull',
    ],
  ],
  ['enum', ['equals', 'notEquals', 'in', 'notIn']],
  [
    'datetime',
    [
      'equals',
      'notEquals',
      'before',
      'after',
      'between',
      'withinLast',
      'notWithinLast',
      'isNull',
      'isNotNull',
    ],
  ],
  ['array', ['hasAny', 'hasAll', 'isEmpty', 'isNotEmpty', 'contains']],
  ['boolean', ['equals', 'notEquals', 'isNull', 'isNotNull']],
  [
    'number',
    [
      ...['equals', 'notEquals', 'greaterThan', 'greaterThanOrEquals', 'lessThan', 'lessThanOrEquals'],
      ...['between', 'isNull', 'isNotNull'],
    ],
  ],
])('fields of type %s take the specified operators', (type, operators) => {
  expect(Reflect.get(OPERATORS_BY_TYPE, type)).toStrictEqual(operators);
});

test('there are 24 operators, and inherited object members are not among them', () => {
  expect(OPERATORS).toHaveLength(24);
  expect(OPERATORS.every(isOperator)).toBe(true);
  expect(['toString', '__proto__', 'Equals', ''].filter(isOperator)).toStrictEqual([]);
});

const [ONE, TWO, THREE] = [newId(), newId(), newId()] as [OrgId, OrgId, OrgId];

function define(given: Partial<CustomFieldDefinition>): CustomFieldDefinition {
  return { key: 'k', label: 'K', type: 'text', choices: [], owner: 'organization', orgIds: [ONE], ...given };
}

/** How the catalog lists `custom.k` with these definitions. */
function listed(...definitions: readonly CustomFieldDefinition[]): unknown {
  const entry = buildCatalog(resolveCustomFields(definitions)).get('custom.k');
  if (entry?.kind !== 'field') return entry?.kind;
  const { type, values, operators } = entry.field;
  return { type, values, operators };
}

test.each([
  ['text', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['date', 'datetime'],
] as const)('a custom field of type %s is listed as %s', (type, served) => {
  expect(listed(define({ type }))).toStrictEqual({
    type: served,
    values: null,
    operators: OPERATORS_BY_TYPE[served],
  });
});

test('a dropdown is listed as an enum with the choices of all organizations, each once', () => {
  const one = define({ type: 'dropdown', choices: ['a', 'b'] });
  const two = define({ type: 'dropdown', choices: ['b', 'c'], orgIds: [TWO] });
  expect(listed(one, two)).toStrictEqual({
    type: 'enum',
    values: ['a', 'b', 'c'],
    operators: OPERATORS_BY_TYPE.enum,
  });
});

test.each<[string, readonly CustomFieldDefinition[], string]>([
  ['two types in two organizations', [define({}), define({ type: 'number', orgIds: [TWO] })], 'ambiguous'],
  [
    "a partner's type that holds in one organization only",
    [define({ type: 'number' }), define({ owner: 'partner', orgIds: [ONE, TWO] })],
    'ambiguous',
  ],
])('a key with %s is ambiguous', (_what, definitions, kind) => {
  expect(listed(...definitions)).toBe(kind);
});

test("an organization's own type is used if its partner's holds nowhere else", () => {
  const definitions = [
    define({ owner: 'partner', type: 'number', orgIds: [ONE] }),
    define({ type: 'boolean' }),
  ];
  expect(listed(...definitions)).toStrictEqual({
    type: 'boolean',
    values: null,
    operators: OPERATORS_BY_TYPE.boolean,
  });
});

test("an organization's own choices take precedence over its partner's", () => {
  const resolved = resolveCustomFields([
    define({ owner: 'partner', type: 'dropdown', choices: ['p'], orgIds: [ONE, TWO, THREE] }),
    define({ type: 'dropdown', choices: ['o'], orgIds: [TWO] }),
  ]).get('k');
  expect(resolved?.kind === 'defined' ? resolved.field.variants : null).toStrictEqual([
    { orgIds: new Set([ONE, THREE]), choices: ['p'] },
    { orgIds: new Set([TWO]), choices: ['o'] },
  ]);
});

test('custom fields are listed after the core fields, by key', () => {
  const keys = ['b', 'a_b', 'ab', 'a'].map((key) => define({ key }));
  expect([...buildCatalog(resolveCustomFields(keys)).keys()]).toStrictEqual([
    ...CORE_CATALOG.keys(),
    'custom.a',
    'custom.a_b',
    'custom.ab',
    'custom.b',
  ]);
});
