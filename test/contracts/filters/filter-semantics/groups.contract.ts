/** What groups of any depth and breadth mean (Contract: §4). */
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope } from '#test/support/builders.ts';
import { CONDITION_AT, CONDITION_ORG_ID, DEVICE_NAMES } from '#test/support/condition-cases/fleet.ts';
import { and, findHostnames, or, type RawCondition, type RawGroup } from '#test/support/filters.ts';

const ONLINE: RawCondition = { field: 'status', operator: 'equals', value: 'online' };
const NAMED: RawCondition = { field: 'displayName', operator: 'isNotNull' };
const NEVER: RawCondition = { field: 'hostname', operator: 'in', value: [] };
const ALWAYS: RawCondition = { field: 'hostname', operator: 'notIn', value: [] };

/** `hostname equals name`. */
const named = (name: string): RawCondition => ({ field: 'hostname', operator: 'equals', value: name });

const GROUP_CASES: readonly (readonly [string, RawGroup, readonly string[]])[] = [
  ['a group of one is its member', and(or(and(ONLINE))), ['plain', 'shouting']],
  ['AND is both', and(ONLINE, named('plain')), ['plain']],
  ['OR is either', or(named('bare'), named('plain'), named('bare')), ['bare', 'plain']],
  ['AND inside OR', or(named('bare'), and(ONLINE, named('plain'))), ['bare', 'plain']],
  ['OR inside AND', and(ONLINE, or(named('bare'), named('plain'))), ['plain']],
  [
    'a missing value does not make OR unknown',
    or({ field: 'lastUser', operator: 'equals', value: 'alice' }, NAMED),
    DEVICE_NAMES.filter((name) => name !== 'bare'),
  ],
  ['two values of one field at once match nothing', and(named('plain'), named('bare')), []],
  [
    'two interfaces of one device can be two things at once',
    and(
      { field: 'network.ipAddress', operator: 'equals', value: '10.0.0.1' },
      { field: 'network.ipAddress', operator: 'equals', value: '10.0.0.2' },
    ),
    ['plain'],
  ],
  [
    'neither of two addresses on any interface',
    and(
      { field: 'network.ipAddress', operator: 'notEquals', value: '10.0.0.1' },
      { field: 'network.ipAddress', operator: 'notEquals', value: 'fe80::1' },
      { field: 'network.ipAddress', operator: 'isNotNull' },
    ),
    ['digits'],
  ],
  [
    'not one value, OR not the other, matches everything',
    or(
      { field: 'displayName', operator: 'notEquals', value: 'a_b' },
      { field: 'displayName', operator: 'notEquals', value: 'aXb' },
    ),
    DEVICE_NAMES,
  ],
  [
    'neither one value nor the other',
    and(
      { field: 'osType', operator: 'notEquals', value: 'windows' },
      { field: 'osType', operator: 'notEquals', value: 'linux' },
      { field: 'osType', operator: 'notIn', value: [] },
      { field: 'architecture', operator: 'in', value: ['arm64', 'x64'] },
    ),
    ['nfc'],
  ],
  ['a condition that never holds, in OR', or(NEVER, ONLINE), ['plain', 'shouting']],
  ['a condition that never holds, in AND', and(ALWAYS, NEVER, ONLINE), []],
  ['conditions that always hold, in OR', or(ONLINE, and(ALWAYS, ALWAYS)), DEVICE_NAMES],
  [
    'date ranges that overlap, and others apart',
    or(
      { field: 'lastSeenAt', operator: 'between', value: { from: '2026-02-09', to: '2026-02-10' } },
      { field: 'lastSeenAt', operator: 'equals', value: '2026-02-10' },
      { field: 'lastSeenAt', operator: 'equals', value: '2024-02-29' },
      { field: 'lastSeenAt', operator: 'before', value: '0001-01-02' },
    ),
    ['capital-sigma', 'emoji', 'nfd', 'sharp-s', 'two-lines'],
  ],
  [
    'several tags, each in a separate condition',
    and(
      { field: 'tags', operator: 'contains', value: 'vpn' },
      { field: 'tags', operator: 'hasAll', value: ['prod-3'] },
      { field: 'tags', operator: 'hasAny', value: ['x', 'y'] },
    ),
    ['digits'],
  ],
  [
    'elapsed days, each in a separate condition',
    or(
      { field: 'daysSinceEnrolled', operator: 'equals', value: 3.5 },
      { field: 'daysSinceEnrolled', operator: 'equals', value: 6 },
      { field: 'daysSinceEnrolled', operator: 'equals', value: 7.5 },
    ),
    ['letter-x', 'percent'],
  ],
];

export function testGroups(backend: () => ContractBackend): void {
  const find = (group: RawGroup, at: EpochMs = CONDITION_AT) =>
    findHostnames(backend(), orgScope(CONDITION_ORG_ID), group, at);

  describe('the meaning of groups', () => {
    test.each(GROUP_CASES)('%s', async (_name, group, matches) => {
      expect(await find(group)).toStrictEqual(matches);
    });
  });

  describe('the size of filters', () => {
    test('thirty thousand groups around a condition mean that condition', async () => {
      let group = and(ONLINE);
      for (let level = 0; level < 30_000; level++) group = level % 2 === 0 ? or(group) : and(group);
      expect(await find(group)).toStrictEqual(['plain', 'shouting']);
    });

    test('a thousand levels with a condition each are all evaluated', async () => {
      // Each OR lets one more device through, each AND holds one back.
      let group = and(named('plain'));
      for (let level = 0; level < 500; level++) {
        group = or(named(DEVICE_NAMES[level % DEVICE_NAMES.length] ?? ''), group);
        group = and(
          { field: 'displayName', operator: 'notEquals', value: level % 2 === 0 ? 'a_b' : 'aXb' },
          group,
        );
      }
      expect(await find(group)).toStrictEqual(
        DEVICE_NAMES.filter((name) => name !== 'underscore' && name !== 'letter-x'),
      );
    });

    test.each(['equals', 'contains'])(
      'ten thousand conditions with %s on one field match if one of them does',
      async (operator) => {
        const conditions = Array.from({ length: 10_000 }, (_, i) => ({
          field: 'hostname',
          operator,
          value: `host-${i}`,
        }));
        expect(await find(or(...conditions, { field: 'hostname', operator, value: 'bare' }))).toStrictEqual([
          'bare',
        ]);
      },
    );

    test('ten thousand conditions that all hold are all evaluated', async () => {
      const conditions = Array.from({ length: 10_000 }, (_, i) => ({
        field: 'hostname',
        operator: 'notEquals',
        value: `host-${i}`,
      }));
      expect(await find(and(...conditions, ONLINE))).toStrictEqual(['plain', 'shouting']);
    });

    test.each([
      ['in', ['plain']],
      ['notIn', DEVICE_NAMES.filter((name) => name !== 'plain')],
    ])('a list of sixty thousand values is evaluated with %s', async (operator, matches) => {
      const value = [...Array.from({ length: 60_000 }, (_, i) => `h${i}`), 'plain'];
      expect(await find(and({ field: 'hostname', operator, value }))).toStrictEqual(matches);
    });
  });
}
