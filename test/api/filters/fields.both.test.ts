/** The fields that filters can be made of, over HTTP (Contract: §3). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, FILTERS, startService, type TestService } from '#test/api/service/service.ts';
import { canaryOf } from '#test/api/service/tenants.ts';
import { aCustomField } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: TestService;
let asUser: Ask;

beforeAll(async () => {
  service = await startService();
  asUser = service.as('A-user');
});

afterAll(() => service.close());

describe('GET /filters/fields', () => {
  const STRING = [
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
  ];
  const ENUM = ['equals', 'notEquals', 'in', 'notIn'];
  const DATETIME = [
    'equals',
    'notEquals',
    'before',
    'after',
    'between',
    'withinLast',
    'notWithinLast',
    'isNull',
    'isNotNull',
  ];
  const ARRAY = ['hasAny', 'hasAll', 'isEmpty', 'isNotEmpty', 'contains'];
  const BOOLEAN = ['equals', 'notEquals', 'isNull', 'isNotNull'];
  const NUMBER = [
    'equals',
    'notEquals',
    'greaterThan',
    'greaterThanOrEquals',
    'lessThan',
    'lessThanOrEquals',
    'between',
    'isNull',
    'isNotNull',
  ];
  const VERSION = [...NUMBER, 'in', 'notIn'];
  const CAPABILITY = ['equals', 'notEquals'];
  const NAMES = ['contains', 'notContains', 'equals', 'in', 'hasAny', 'hasAll'];
  const OWNERSHIP = ['equals', 'in'];

  /** Written down from the specification and contract §3 and §18, not from the product. */
  const FIELDS: Readonly<
    Record<string, readonly [type: string, operators: readonly string[], values?: readonly string[]]>
  > = {
    hostname: ['string', STRING],
    displayName: ['string', STRING],
    status: [
      'enum',
      ENUM,
      ['online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending'],
    ],
    agentVersion: ['string', STRING],
    'agent.version': ['version', VERSION],
    'os.version': ['version', VERSION],
    'software[<name>].version': ['version', VERSION],
    'rollout.bucket': ['number', NUMBER],
    enrolledAt: ['datetime', DATETIME],
    lastSeenAt: ['datetime', DATETIME],
    tags: ['array', ARRAY],
    'tags.name': ['string', STRING],
    deviceRole: [
      'enum',
      ENUM,
      [
        'workstation',
        'server',
        'printer',
        'router',
        'switch',
        'firewall',
        'access_point',
        'phone',
        'iot',
        'camera',
        'nas',
        'unknown',
      ],
    ],
    lastUser: ['string', STRING],
    isHeadless: ['boolean', BOOLEAN],
    uptimeSeconds: ['number', NUMBER],
    watchdogStatus: ['enum', ENUM, ['connected', 'failover', 'offline']],
    quarantinedAt: ['datetime', DATETIME],
    'patches.pending': ['boolean', CAPABILITY],
    'patches.reported': ['boolean', CAPABILITY],
    'patches.pendingTitle': ['string', NAMES],
    'patches.failedTitle': ['string', NAMES],
    'metrics.reported': ['boolean', CAPABILITY],
    'alerts.critical': ['boolean', CAPABILITY],
    'system.rebootRequired': ['boolean', CAPABILITY],
    osType: ['enum', ENUM, ['windows', 'macos', 'linux']],
    architecture: ['enum', ENUM, ['x64', 'x86', 'arm64']],
    osVersion: ['string', STRING],
    osBuild: ['string', STRING],
    lastSeenIp: ['string', STRING],
    'hardware.manufacturer': ['string', STRING],
    'hardware.model': ['string', STRING],
    'hardware.serialNumber': ['string', STRING],
    'hardware.cpuModel': ['string', STRING],
    'hardware.gpuModel': ['string', STRING],
    'hardware.cpuCores': ['number', NUMBER],
    'hardware.ramTotalMb': ['number', NUMBER],
    'hardware.diskTotalGb': ['number', NUMBER],
    'network.ipAddress': ['string', STRING],
    'network.publicIp': ['string', STRING],
    'network.macAddress': ['string', STRING],
    'metrics.cpuPercent': ['number', NUMBER],
    'metrics.ramPercent': ['number', NUMBER],
    'metrics.diskPercent': ['number', NUMBER],
    'software.installed': ['string', NAMES],
    'software.notInstalled': ['string', ['contains', 'equals', 'in', 'hasAny']],
    id: ['string', OWNERSHIP],
    orgId: ['string', OWNERSHIP],
    siteId: ['string', OWNERSHIP],
    filter: ['string', ['equals', 'notEquals', 'in', 'notIn']],
    daysSinceLastSeen: ['number', NUMBER],
    daysSinceEnrolled: ['number', NUMBER],
  };

  interface Field {
    readonly key: string;
    readonly label: string;
    readonly category: string;
    readonly type: string;
    readonly operators: readonly string[];
    readonly values?: readonly string[];
  }
  const fieldsOf = async (ask: Ask) =>
    ((await ask('GET', `${FILTERS}/fields`)).body as { data: readonly Field[] }).data;

  test('lists every core field with its type, operators and values', async () => {
    const fields = (await fieldsOf(asUser)).filter(({ key }) => !key.startsWith('custom.'));
    const listed = fields.map(({ key, type, operators, values }) => [
      key,
      values === undefined ? [type, operators.toSorted()] : [type, operators.toSorted(), values.toSorted()],
    ]);
    const expected = Object.entries(FIELDS).map(([key, [type, operators, values]]) => [
      key,
      values === undefined ? [type, operators.toSorted()] : [type, operators.toSorted(), values.toSorted()],
    ]);
    expect(Object.fromEntries(listed)).toStrictEqual(Object.fromEntries(expected));
    expect(fields.every(({ label, category }) => label !== '' && category !== '')).toBe(true);
  });

  test('lists the custom fields of the organizations in reach and of their partner, as defined', async () => {
    const { orgIds } = service.tenants;
    const owner = { kind: 'organization', orgId: orgIds.C } as const;
    await loadFleet(service.composition.backend, [
      aCustomField({ owner, key: 'a_text', type: 'text', name: 'Text' }),
      aCustomField({ owner, key: 'b_number', type: 'number' }),
      aCustomField({ owner, key: 'c_boolean', type: 'boolean' }),
      aCustomField({ owner, key: 'd_dropdown', type: 'dropdown', choices: ['x', 'y'] }),
      aCustomField({ owner, key: 'e_date', type: 'date' }),
    ]);
    const custom = (await fieldsOf(service.as('Q-all'))).filter(({ key }) => key.startsWith('custom.'));
    expect(custom).toStrictEqual([
      { key: 'custom.a_text', label: 'Text', category: 'custom', type: 'string', operators: STRING },
      { key: 'custom.b_number', label: 'b_number', category: 'custom', type: 'number', operators: NUMBER },
      {
        key: 'custom.c_boolean',
        label: 'c_boolean',
        category: 'custom',
        type: 'boolean',
        operators: BOOLEAN,
      },
      {
        key: 'custom.d_dropdown',
        label: 'd_dropdown',
        category: 'custom',
        type: 'enum',
        operators: ENUM,
        values: ['x', 'y'],
      },
      { key: 'custom.e_date', label: 'e_date', category: 'custom', type: 'datetime', operators: DATETIME },
      { key: 'custom.of_c', label: canaryOf('C'), category: 'custom', type: 'string', operators: STRING },
      { key: 'custom.of_q', label: 'Of Q', category: 'custom', type: 'datetime', operators: DATETIME },
    ]);
  });
});
