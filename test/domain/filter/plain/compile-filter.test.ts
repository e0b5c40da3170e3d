/**
 * A filter over plain objects answers as the evaluator does over devices of the service: over generated filters of every
 * field and operator, and generated devices in every way in which they can be written down.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import {
  type CompiledFilter,
  compileFilter,
  type PlainCustomField,
} from '#domain/filter/plain/compile-filter.ts';
import type { PlainDevice } from '#domain/filter/plain/read-plain-device.ts';
import type { OrgId } from '#domain/ids.ts';
import { DAY_MS } from '#domain/time.ts';
import { openLawWorld } from '#test/domain/filter/text/law-world.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { literalMeaning } from '#test/support/differential/literal-meaning.ts';
import { and, or, parseFilter, patternsIn, type RawCondition } from '#test/support/filters.ts';
import { randomPlainForm } from '#test/support/random/plain-devices.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';

const SEED = 20261122;

describe('compileFilter agrees with the evaluator', () => {
  test.each([0, 1, 2])('on generated filters and devices (world %i)', async (n) => {
    const world = await openLawWorld(SEED + n, 40);
    const [[orgId, devices] = noDevices()] = [...Map.groupBy(world.devices, (device) => device.orgId)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    const catalog = await world.catalogIn(orgId);
    const customFields = plainDefinitions(catalog, orgId);
    let evaluated = 0;
    fc.assert(
      fc.property(
        randomFilter(leavesOf(catalog, devices)),
        fc.tuple(...devices.map(randomPlainForm)),
        fc.constantFrom(...EVALUATION_INSTANTS),
        (raw, plain, at) => {
          const filter = parseFilter(raw, catalog);
          const compiled = compileFilter(raw, { customFields, translatePattern });
          expect(compiled.ok).toBe(patternsIn(filter).every((pattern) => translatePattern(pattern).ok));
          if (!compiled.ok) return;
          const matching = world.matching(filter, at);
          for (const [i, device] of devices.entries()) {
            const matches = matching?.includes(device.id);
            expect(compiled.value(plain[i] as PlainDevice, at)).toBe(matches);
            evaluated++;
          }
        },
      ),
      { numRuns: 150, seed: SEED + n },
    );
    expect(evaluated).toBeGreaterThan(500);
  });

  test('on a device without any known values, for every operator on every field', async () => {
    const { devices } = await openLawWorld(SEED, 20);
    const nothing = {
      ...{ custom: new Map(), tags: [], network: [], software: [], hardware: {}, metrics: {} },
      patches: null,
      ...{ rebootRequired: false, pendingPatchCount: 0, criticalAlertCount: 0 },
    };
    // Reading an absent member gives null here, as the contract's literal reading knows no `undefined`.
    const unknown = nullWhereAbsent(nothing) as unknown as Device;
    const leaves = leavesOf(CORE_CATALOG, devices).filter(({ operator }) => operator !== 'matches');
    expect(leaves.length).toBeGreaterThan(200);
    for (const { arbitrary, field, operator } of leaves) {
      for (const condition of fc.sample(arbitrary, { numRuns: 3, seed: SEED })) {
        const expected = literalMeaning(and(condition), CORE_CATALOG)(unknown, SOME_INSTANT);
        expect([field, operator, compile(condition)({}, SOME_INSTANT)]).toStrictEqual([
          field,
          operator,
          expected,
        ]);
      }
    }
  });
});

describe('compileFilter', () => {
  const seenLately = { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'weeks' } };

  test.each<[string, PlainDevice, boolean]>([
    ['an ISO date', { lastSeenAt: '2026-02-10T07:00:00Z' }, true],
    ['an ISO date with an offset', { lastSeenAt: '2026-02-03T10:00:00+02:00' }, true],
    ['an ISO date just too early', { lastSeenAt: '2026-02-03T07:59:59.999Z' }, false],
    ['epoch milliseconds', { lastSeenAt: SOME_INSTANT - DAY_MS }, true],
    ['null', { lastSeenAt: null }, false],
    ['nothing', {}, false],
  ])('reads %s as the time when a device was seen', (_name, device, isWithin) => {
    expect(compile(seenLately)(device, SOME_INSTANT)).toBe(isWithin);
    expect(compile({ ...seenLately, operator: 'notWithinLast' })(device, SOME_INSTANT)).toBe(!isWithin);
    expect(compile(seenLately)(device, new Date(SOME_INSTANT).toISOString())).toBe(isWithin);
  });

  test.each<[string, object, string]>([
    [
      'lastSeenAt',
      { lastSeenAt: 'yesterday' },
      'lastSeenAt must be whole milliseconds since 1970, or an ISO',
    ],
    ['lastSeenAt', { lastSeenAt: new Date() }, 'not an object'],
    ['enrolledAt', { enrolledAt: 1.5 }, 'enrolledAt must be whole milliseconds'],
    ['status', { status: 'Online' }, 'status must be one of online, offline'],
    ['hostname', { hostname: 7 }, 'hostname must be a string, not 7'],
    ['uptimeSeconds', { uptimeSeconds: '120' }, 'uptimeSeconds must be a finite number, not "120"'],
    [
      'a metric',
      { metrics: { cpuPercent: Number.NaN } },
      'metrics.cpuPercent must be a finite number, not NaN',
    ],
    ['isHeadless', { isHeadless: 'no' }, 'isHeadless must be true or false, not "no"'],
    ['tags', { tags: 'vip' }, 'tags must be an array of strings, not "vip"'],
    ['a tag', { tags: ['vip', null] }, 'tags[1] must be one of an array of strings, not null'],
    ['network', { network: [{ ipAddress: 1 }] }, 'network[0].ipAddress must be a string, not 1'],
    ['software', { software: ['Veeam'] }, 'software[0] must be one of an array of objects with a name'],
    ['hardware', { hardware: 'none' }, 'hardware must be an object, not "none"'],
    ['metrics', { metrics: 5 }, 'metrics must be an object, not 5'],
    ['custom', { custom: ['a'] }, 'custom must be an object with the values by key, not an array'],
  ])('refuses a device with an invalid value for %s', (_name, device, message) => {
    const filter = compile({ field: 'tags', operator: 'isEmpty' });
    expect(() => filter(device as PlainDevice, SOME_INSTANT)).toThrow(TypeError);
    expect(() => filter(device as PlainDevice, SOME_INSTANT)).toThrow(message);
  });

  test('refuses a value that is not a device, and an invalid instant', () => {
    const filter = compile(seenLately);
    expect(() => filter(null as unknown as PlainDevice, SOME_INSTANT)).toThrow(
      'a device must be an object, not null',
    );
    expect(() => filter({}, undefined as unknown as number)).toThrow(
      'at must be whole milliseconds since 1970',
    );
  });

  test('names all faults at once, including regular expressions, in the order of the filter', () => {
    const raw = and(
      { field: 'hostnam', operator: 'equals', value: 'x' },
      or(
        { field: 'hostname', operator: 'matches', value: '(' },
        { field: 'lastSeenAt', operator: 'before', value: 'now' },
        { field: 'osVersion', operator: 'matches', value: '^10' },
      ),
    );
    const codesOf = (options?: Parameters<typeof compileFilter>[1]) => {
      const compiled = compileFilter(raw, options);
      return compiled.ok ? [] : compiled.error.map(({ path, code }) => `${path}: ${code}`);
    };
    const [unknown, pattern, date, other] = [
      'conditions.conditions[0].field: unknown_field',
      'conditions.conditions[1].conditions[0].value: invalid_pattern',
      'conditions.conditions[1].conditions[1].value: invalid_value',
      'conditions.conditions[1].conditions[2].value: invalid_pattern',
    ];
    expect(codesOf()).toStrictEqual([unknown, pattern, date, other]);
    expect(codesOf({ translatePattern })).toStrictEqual([unknown, pattern, date]);
  });

  test('says what to pass if a regular expression cannot be evaluated', () => {
    const compiled = compileFilter(and({ field: 'hostname', operator: 'matches', value: '^srv' }));
    expect(compiled.ok ? '' : compiled.error[0]?.message).toBe(
      'The regular expression is refused: compileFilter was given no translatePattern. Pass the one of fleetsift/postgres-regex.',
    );
  });

  test('translates a regular expression once, however often it occurs', () => {
    const translated: string[] = [];
    const srv = { field: 'hostname', operator: 'matches', value: '^srv' };
    const compiled = compileFilter(or(srv, and(srv, srv)), {
      translatePattern: (pattern) => {
        translated.push(pattern);
        return translatePattern(pattern);
      },
    });
    expect(compiled.ok && compiled.value({ hostname: 'srv-1' }, SOME_INSTANT)).toBe(true);
    expect(translated).toStrictEqual(['^srv']);
  });

  test('knows custom fields for devices of any organization, and of none', () => {
    const customFields: readonly PlainCustomField[] = [
      { key: 'tier', type: 'dropdown', choices: ['gold', 'silver'] },
      { key: 'since', type: 'date' },
    ];
    const compiled = compileFilter(
      and(
        { field: 'custom.tier', operator: 'equals', value: 'gold' },
        { field: 'custom.since', operator: 'before', value: '2026-01-01' },
      ),
      { customFields },
    );
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
    const filter = compiled.value;
    const custom = { tier: 'gold', since: '2025-12-31' };
    expect(filter({ custom }, SOME_INSTANT)).toBe(true);
    expect(filter({ custom, orgId: 'anybody' }, SOME_INSTANT)).toBe(true);
    expect(filter({ custom: new Map(Object.entries(custom)) }, SOME_INSTANT)).toBe(true);
    expect(filter({ custom: { ...custom, tier: 'bronze' } }, SOME_INSTANT)).toBe(false);
    expect(filter({}, SOME_INSTANT)).toBe(false);
  });

  test.each<[string, readonly object[], string]>([
    ['with an invalid key', [{ key: 'Site Code', type: 'text' }], 'must be like site_code, not "Site Code"'],
    [
      'of an unknown type',
      [{ key: 'a', type: 'string' }],
      'must be one of text, number, boolean, dropdown, date',
    ],
    [
      'that is defined twice',
      [
        { key: 'a', type: 'text' },
        { key: 'a', type: 'number' },
      ],
      'custom field a is defined twice',
    ],
    ['that is a dropdown without choices', [{ key: 'a', type: 'dropdown' }], 'the choices of custom field a'],
    [
      'with an empty list of choices',
      [{ key: 'a', type: 'dropdown', choices: [] }],
      'must be strings in a list, at least one',
    ],
    [
      'with a text as its choices',
      [{ key: 'a', type: 'dropdown', choices: 'gold' }],
      'must be strings in a list',
    ],
    [
      'with a choice that is not a text',
      [{ key: 'a', type: 'dropdown', choices: [1] }],
      'must be strings in a list',
    ],
  ])('refuses a custom field %s', (_name, customFields, message) => {
    const options = { customFields: customFields as readonly PlainCustomField[] };
    expect(() => compileFilter(and({ field: 'tags', operator: 'isEmpty' }), options)).toThrow(message);
  });
});

function noDevices(): never {
  throw new Error('the world has no devices');
}

function compile(condition: RawCondition): CompiledFilter {
  const compiled = compileFilter(and(condition));
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return compiled.value;
}

/** The custom fields of one organization, as an embedder would define them. */
function plainDefinitions(catalog: FieldCatalog, orgId: OrgId): readonly PlainCustomField[] {
  return [...catalog.values()].flatMap((entry) => {
    if (entry.kind === 'ambiguous' || entry.field.source.kind !== 'custom') return [];
    const { key, type, variants } = entry.field.source.field;
    const choices = variants.find(({ orgIds }) => orgIds?.has(orgId))?.choices;
    return choices === undefined ? [] : [{ key, type, choices }];
  });
}

function nullWhereAbsent(known: object): object {
  return new Proxy(known, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member) ?? null;
      return typeof value === 'object' && value?.constructor === Object ? nullWhereAbsent(value) : value;
    },
  });
}
