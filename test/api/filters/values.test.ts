/** Valid and invalid conditions, on every route that takes a filter (Contract: §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FILTERS,
  filterOf,
  type NewOrg,
  problemOf,
  refusalOf,
  type TestService,
} from '#test/api/service/service.ts';
import { newId } from '#test/support/builders.ts';
import {
  and,
  BAD_VALUE,
  type ConditionService,
  invalid,
  is,
  startConditionService,
  VALUE,
} from './condition-service.ts';

let service: TestService;
let empty: NewOrg;
let withDevices: ConditionService['withDevices'];
let refusedEverywhere: ConditionService['refusedEverywhere'];

beforeAll(async () => {
  ({ service, empty, withDevices, refusedEverywhere } = await startConditionService());
});
afterAll(() => service.close());

/** Saves a filter with this condition, and returns its stored conditions. */
async function stored(condition: object): Promise<unknown> {
  const { ask } = empty;
  const created = await ask('POST', FILTERS, { name: 'Kept', conditions: and(condition) });
  const read = await ask('GET', `${FILTERS}/${filterOf(created).id}`);
  return filterOf(read).conditions;
}

describe('storage', () => {
  test('a filter is stored unchanged', async () => {
    for (const condition of [is('hostname', 'in', ['srv-1']), is('osVersion', 'in', ['11', '2026'])]) {
      expect(await stored(condition)).toStrictEqual(and(condition));
    }
  });
});

describe('a node', () => {
  test('fields and operators are checked when a filter is saved', async () => {
    expect(await refusedEverywhere(is('nope', 'equals', 'x'))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
    expect(await refusedEverywhere(is('status', 'contains', 'on'))).toStrictEqual(
      invalid(['conditions.conditions[0].operator', 'operator_not_allowed']),
    );
  });

  test.each([
    'agentTokenHash',
    'customFields',
    'managementPosture',
    'hostname_lc',
    'org_id',
    'inventory_id',
    'custom_derived',
    'd.id',
    'd.hostname',
    'constructor',
    '__proto__',
    'toString',
    'custom.constructor',
    'custom.__proto__',
    'hardware.constructor',
  ])('no column is reached outside the catalog: %s', async (field) => {
    expect(await refusedEverywhere(is(field, 'startsWith', 'a'))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
  });

  test('a mix of condition and group, or an unknown member, is refused', async () => {
    const both = { ...is('hostname', 'equals', 'x'), conditions: [is('hostname', 'equals', 'y')] };
    expect(await refusedEverywhere(both)).toStrictEqual(
      invalid(
        ['conditions.conditions[0].field', 'ambiguous_node'],
        ['conditions.conditions[0].value', 'ambiguous_node'],
        ['conditions.conditions[0].operator', 'invalid_group_operator'],
      ),
    );
    expect(await refusedEverywhere({ ...and(is('hostname', 'equals', 'x')), not: true })).toStrictEqual(
      invalid(['conditions.conditions[0]', 'unknown_member']),
    );
    expect(await refusedEverywhere({ ...is('hostname', 'equals', 'x'), caseSensitive: false })).toStrictEqual(
      invalid(['conditions.conditions[0]', 'unknown_member']),
    );
  });

  test('a name of white space is refused', async () => {
    const { ask } = empty;
    const conditions = and(is('hostname', 'isNotNull'));
    expect(refusalOf(await ask('POST', FILTERS, { name: '   ', conditions }))).toStrictEqual(
      invalid(['name', 'invalid_value']),
    );
    expect(filterOf(await ask('POST', FILTERS, { name: ' a ', conditions })).name).toBe('a');
  });
});

describe('a value', () => {
  test('null is refused, and the refusal names isNull', async () => {
    expect(await refusedEverywhere(is('displayName', 'equals', null))).toStrictEqual(BAD_VALUE);
    const { preview } = empty;
    for (const condition of [
      is('displayName', 'contains', null),
      is('uptimeSeconds', 'greaterThan', null),
      is('lastSeenAt', 'before', null),
      is('isHeadless', 'equals', null),
    ]) {
      expect(problemOf(await preview(condition)).detail).toContain('isNull');
    }
    expect(refusalOf(await preview(is('status', 'equals', null)))).toStrictEqual(BAD_VALUE);
  });

  test.each([[{ from: null, to: null }], [{ from: true, to: false }], [{ from: {}, to: [] }]])(
    'between refuses %j',
    async (value) => {
      for (const field of ['lastSeenAt', 'uptimeSeconds']) {
        expect(await refusedEverywhere(is(field, 'between', value))).toStrictEqual(
          invalid([`${VALUE}.from`, 'invalid_value'], [`${VALUE}.to`, 'invalid_value']),
        );
      }
    },
  );

  test('a value of two shapes is refused', async () => {
    const value = { amount: 5, unit: 'days', from: '2026-01-01', to: '2026-02-01' };
    for (const operator of ['between', 'withinLast']) {
      expect(await refusedEverywhere(is('lastSeenAt', operator, value))).toStrictEqual(
        invalid([VALUE, 'value_not_allowed'], [VALUE, 'value_not_allowed']),
      );
    }
  });

  test('isNull with a value and equals without one are refused', async () => {
    expect(await refusedEverywhere(is('displayName', 'isNull', 'x'))).toStrictEqual(
      invalid([VALUE, 'value_not_allowed']),
    );
    expect(await refusedEverywhere(is('tags', 'isEmpty', []))).toStrictEqual(
      invalid([VALUE, 'value_not_allowed']),
    );
    expect(await refusedEverywhere(is('displayName', 'equals'))).toStrictEqual(
      invalid([VALUE, 'value_required']),
    );
  });

  test('a boolean is not guessed from other values', async () => {
    const org = await withDevices(
      { hostname: 'yes', isHeadless: true },
      { hostname: 'no', isHeadless: false },
    );
    for (const value of ['yes', 1, 0, '', 'True', 'TRUE', 'no', '1']) {
      expect(refusalOf(await org.preview(is('isHeadless', 'equals', value)))).toStrictEqual(BAD_VALUE);
    }
    expect(await org.find(is('isHeadless', 'equals', 'true'))).toStrictEqual(['yes']);
    expect(await org.find(is('isHeadless', 'equals', 'false'))).toStrictEqual(['no']);
  });

  test('a capability is not guessed from other values', async () => {
    const org = await withDevices(
      { hostname: 'pending', patches: [{ id: newId(), title: 'KB1', status: 'pending' }] },
      { hostname: 'patched', patches: [{ id: newId(), title: 'KB1', status: 'installed' }] },
    );
    for (const value of ['No', 'FALSE', 0, 'maybe', undefined]) {
      const answer = await org.preview(is('patches.pending', 'equals', value));
      expect([answer.status, problemOf(answer).errors?.[0]?.path]).toStrictEqual([400, VALUE]);
    }
    expect(await org.find(is('patches.pending', 'equals', 'false'))).toStrictEqual(['patched']);
    expect(await org.find(is('patches.pending', 'equals', true))).toStrictEqual(['pending']);
  });

  test('an unknown value of an enum is refused with the list of values', async () => {
    const { preview } = empty;
    expect(await refusedEverywhere(is('status', 'equals', 'ONLINE'))).toStrictEqual(BAD_VALUE);
    expect(await refusedEverywhere(is('status', 'in', ['online', 'bogus']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
    const { detail } = problemOf(await preview(is('status', 'equals', 'ONLINE')));
    for (const value of [
      'online',
      'offline',
      'maintenance',
      'decommissioned',
      'quarantined',
      'updating',
      'pending',
    ]) {
      expect(detail).toContain(value);
    }
  });

  test('a site that is no UUID is refused', async () => {
    expect(await refusedEverywhere(is('siteId', 'equals', 'abc'))).toStrictEqual(BAD_VALUE);
    expect(await refusedEverywhere(is('siteId', 'in', [newId(), 'abc']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
  });

  test.each([
    'not a date',
    'infinity',
    '-infinity',
    'now',
    'yesterday',
    'today',
    'epoch',
    '',
    0,
    1_770_000_000_000,
    '2026-02-30',
    '2026-13-01',
    '2026-02-10T24:00:00Z',
    '2026-02-10T23:59:60Z',
    '300000-01-01',
  ])('%j is refused as a date', async (value) => {
    expect(await refusedEverywhere(is('lastSeenAt', 'after', value))).toStrictEqual(BAD_VALUE);
  });

  test.each(['(', '[', 'a{2,1}', '*a', '\\', '(?<name>a)', 'a{1,256}'])(
    'the regular expression %j is refused',
    async (pattern) => {
      expect(await refusedEverywhere(is('hostname', 'matches', pattern))).toStrictEqual(
        invalid([VALUE, 'invalid_pattern']),
      );
    },
  );

  test('a NUL is refused in a value and in a list', async () => {
    expect(await refusedEverywhere(is('hostname', 'equals', 'a\u0000b'))).toStrictEqual(BAD_VALUE);
    expect(await refusedEverywhere(is('hostname', 'in', ['a', '\u0000']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
  });
});
