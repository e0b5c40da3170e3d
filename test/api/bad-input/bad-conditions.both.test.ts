/** Invalid conditions are refused with path and code, and change nothing (Contract: §3, §4). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CORE_FIELDS } from '#domain/filter/catalog/core-fields.ts';
import { OPERATORS_BY_TYPE } from '#domain/filter/catalog/operator-matrix.ts';
import {
  type Ask,
  FILTERS,
  PREVIEW,
  problemOf,
  refusalOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import { FIRST, faults, GOOD, group, VALUE } from './bad-conditions.ts';

const ROOT = 'conditions';

let service: TestService;
let ask: Ask;
let target: string;

beforeAll(async () => {
  service = await startService();
  ask = service.as('A-user');
  target = `${FILTERS}/${service.tenants.filters.A.id}`;
});

afterAll(() => service.close());

/** The process survives every test. */
afterEach(async () => {
  expect((await service.composition.app.request('/healthz')).status).toBe(200);
});

/** Checks that create, preview and update refuse alike and write nothing. Returns their answer. */
async function refuse(conditions: unknown): Promise<readonly unknown[]> {
  const before = await tracesOf(service);
  const text = typeof conditions === 'string' ? conditions : JSON.stringify(conditions);
  const answers = [
    await ask('POST', PREVIEW, `{"conditions":${text}}`),
    await ask('POST', FILTERS, `{"name":"Bad","conditions":${text}}`),
    await ask('PATCH', target, `{"conditions":${text}}`),
  ].map(refusalOf);
  expect(answers[1]).toStrictEqual(answers[0]);
  expect(answers[2]).toStrictEqual(answers[0]);
  expect(await tracesOf(service)).toStrictEqual(before);
  return answers[0] ?? [];
}

describe('the shape of a tree', () => {
  test.each<readonly [string, unknown, readonly (readonly [string, string])[]]>([
    ['null', null, [[ROOT, 'not_a_group']]],
    ['a text', '"AND"', [[ROOT, 'not_a_group']]],
    ['a number', 5, [[ROOT, 'not_a_group']]],
    ['an array', [GOOD], [[ROOT, 'not_a_group']]],
    ['a bare condition', GOOD, [[ROOT, 'not_a_group']]],
    [
      'an empty object',
      {},
      [
        [`${ROOT}.operator`, 'invalid_group_operator'],
        [`${ROOT}.conditions`, 'not_a_group'],
      ],
    ],
    ['a group without conditions', { operator: 'AND' }, [[`${ROOT}.conditions`, 'not_a_group']]],
    [
      'an object as conditions',
      { operator: 'AND', conditions: { 0: GOOD } },
      [[`${ROOT}.conditions`, 'not_a_group']],
    ],
    ['an empty list of conditions', group(), [[`${ROOT}.conditions`, 'empty_group']]],
    [
      'an empty group further down',
      group(GOOD, group(group())),
      [[`${ROOT}.conditions[1].conditions[0].conditions`, 'empty_group']],
    ],
    [
      'an operator in small letters',
      { ...group(GOOD), operator: 'and' },
      [[`${ROOT}.operator`, 'invalid_group_operator']],
    ],
    [
      'an unknown group operator',
      { ...group(GOOD), operator: 'XOR' },
      [[`${ROOT}.operator`, 'invalid_group_operator']],
    ],
    ['a group without operator', { conditions: [GOOD] }, [[`${ROOT}.operator`, 'invalid_group_operator']]],
    [
      'null as operator',
      { ...group(GOOD), operator: null },
      [[`${ROOT}.operator`, 'invalid_group_operator']],
    ],
    ['an unknown member on the root', { ...group(GOOD), not: true }, [[ROOT, 'unknown_member']]],
    ['an unknown member on a condition', group({ ...GOOD, negate: true }), [[FIRST, 'unknown_member']]],
    ['null as element', group(null), [[FIRST, 'invalid_node']]],
    ['a text as element', group('x'), [[FIRST, 'invalid_node']]],
    ['an array as element', group([GOOD]), [[FIRST, 'invalid_node']]],
    ['an element of neither kind', group({ operator: 'equals', value: 5 }), [[FIRST, 'invalid_node']]],
    ['an empty element', group({}), [[FIRST, 'invalid_node']]],
    [
      'a condition without operator',
      group({ field: 'hostname', value: 'x' }),
      [[`${FIRST}.operator`, 'unknown_operator']],
    ],
    [
      'null as operator of a condition',
      group({ ...GOOD, operator: null }),
      [[`${FIRST}.operator`, 'unknown_operator']],
    ],
    [
      'an unknown operator',
      group({ ...GOOD, operator: 'like' }),
      [[`${FIRST}.operator`, 'unknown_operator']],
    ],
    [
      'an operator in the wrong case',
      group({ ...GOOD, operator: 'Equals' }),
      [[`${FIRST}.operator`, 'unknown_operator']],
    ],
    [
      'an inherited property as operator',
      group({ ...GOOD, operator: 'toString' }),
      [[`${FIRST}.operator`, 'unknown_operator']],
    ],
    ['a number as field', group({ ...GOOD, field: 5 }), [[`${FIRST}.field`, 'unknown_field']]],
    ['null as field', group({ ...GOOD, field: null }), [[`${FIRST}.field`, 'unknown_field']]],
    ['a field in the wrong case', group({ ...GOOD, field: 'ostype' }), [[`${FIRST}.field`, 'unknown_field']]],
    [
      'a field with a leading space',
      group({ ...GOOD, field: ' hostname' }),
      [[`${FIRST}.field`, 'unknown_field']],
    ],
    [
      'a field without its prefix',
      group({ ...GOOD, field: 'cpuCores' }),
      [[`${FIRST}.field`, 'unknown_field']],
    ],
    [
      'a field with a NUL',
      group({ ...GOOD, field: 'hostname\u0000' }),
      [[`${FIRST}.field`, 'unknown_field']],
    ],
    [
      'an unpaired surrogate as field',
      group({ ...GOOD, field: '\ud800' }),
      [[`${FIRST}.field`, 'unknown_field']],
    ],
  ])('%s is refused', async (_, conditions, places) => {
    expect(await refuse(conditions)).toStrictEqual(faults(...places));
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'custom.__proto__',
    'custom.constructor',
    'custom.toString',
    "custom.x'); drop table device; --",
    'custom.',
    'custom.X',
    'hardware.__proto__',
  ])('%s is refused as an unknown field', async (field) => {
    expect(await refuse(group({ ...GOOD, field }))).toStrictEqual(
      faults([`${FIRST}.field`, 'unknown_field']),
    );
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf'])(
    '%s is refused as an unknown member',
    async (member) => {
      const condition = `{"field":"hostname","operator":"equals","value":"x","${member}":{"polluted":true}}`;
      expect(await refuse(`{"operator":"AND","conditions":[${condition}]}`)).toStrictEqual(
        faults([FIRST, 'unknown_member']),
      );
      expect(
        await refuse(
          `{"operator":"AND","conditions":[${JSON.stringify(GOOD)}],"${member}":{"operator":"OR"}}`,
        ),
      ).toStrictEqual(faults([ROOT, 'unknown_member']));
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  test('a __proto__ does not supply missing members', async () => {
    const text = `{"operator":"AND","conditions":[{"__proto__":${JSON.stringify(GOOD)}}]}`;
    expect(await refuse(text)).toStrictEqual(faults([FIRST, 'unknown_member'], [FIRST, 'invalid_node']));
    const outside = await ask('POST', PREVIEW, `{"__proto__":{"conditions":${JSON.stringify(group(GOOD))}}}`);
    expect(refusalOf(outside)).toStrictEqual(faults([ROOT, 'not_a_group']));
  });

  test('the refusal of a misspelled field suggests the nearest known one', async () => {
    for (const [field, known] of [
      ['ostype', 'osType'],
      ['hostnam', 'hostname'],
      ['cpuCores', 'hardware.cpuCores'],
      ['custom.of_aa', 'custom.of_a'],
    ]) {
      const { errors } = problemOf(await ask('POST', PREVIEW, { conditions: group({ ...GOOD, field }) }));
      expect(errors?.[0]?.message).toContain(`Did you mean ${known}?`);
    }
  });

  test('faults deep in the tree have a full path, and at most 100 are listed', async () => {
    let tree: unknown = { ...GOOD, field: 'nope' };
    for (let i = 0; i < 9; i++) tree = group(GOOD, tree);
    expect(await refuse(tree)).toStrictEqual(
      faults([`conditions${'.conditions[1]'.repeat(9)}.field`, 'unknown_field']),
    );
    const many = await refuse(group(...Array.from({ length: 250 }, () => ({ ...GOOD, field: 'nope' }))));
    expect(many).toStrictEqual(
      faults(
        ...Array.from(
          { length: 100 },
          (_, i) => [`conditions.conditions[${i}].field`, 'unknown_field'] as const,
        ),
      ),
    );
  });
});

describe('operators and values', () => {
  const ALL_OPERATORS = [...new Set(Object.values(OPERATORS_BY_TYPE).flat())];

  test('there are 24 operators', () => {
    expect(ALL_OPERATORS).toHaveLength(24);
  });

  test.each([
    ['hostname', 'string'],
    ['status', 'enum'],
    ['lastSeenAt', 'datetime'],
    ['tags', 'array'],
    ['isHeadless', 'boolean'],
    ['uptimeSeconds', 'number'],
  ] as const)('%s refuses each operator that the type %s does not have', async (field, type) => {
    const operators: readonly string[] = OPERATORS_BY_TYPE[type];
    const others = ALL_OPERATORS.filter((operator) => !operators.includes(operator));
    const answer = await ask('POST', PREVIEW, {
      conditions: group(...others.map((operator) => ({ field, operator, value: 'x' }))),
    });
    expect(refusalOf(answer)).toStrictEqual(
      faults(
        ...others.map((_, i) => [`conditions.conditions[${i}].operator`, 'operator_not_allowed'] as const),
      ),
    );
    for (const { message } of problemOf(answer).errors ?? []) {
      for (const operator of operators) expect(message).toContain(operator);
    }
  });

  test('capabilities take only equals and notEquals, ids only equals and in', async () => {
    for (const [field, allowed] of [
      ['patches.pending', ['equals', 'notEquals']],
      ['alerts.critical', ['equals', 'notEquals']],
      ['system.rebootRequired', ['equals', 'notEquals']],
      ['orgId', ['equals', 'in']],
      ['siteId', ['equals', 'in']],
    ] as const) {
      const others = ALL_OPERATORS.filter((operator) => !(allowed as readonly string[]).includes(operator));
      const answer = await ask('POST', PREVIEW, {
        conditions: group(...others.map((operator) => ({ field, operator, value: 'x' }))),
      });
      expect(problemOf(answer).errors?.map(({ code }) => code)).toStrictEqual(
        others.map(() => 'operator_not_allowed'),
      );
    }
    expect(Object.keys(CORE_FIELDS)).toContain('siteId');
  });

  const SCALAR_WRONG = [null, [], ['x'], {}, { from: 1, to: 2 }];
  const LIST_WRONG = [null, 'x', 5, true, {}, { 0: 'x', length: 1 }];
  const RANGE_WRONG = [
    null,
    5,
    '2026-01-01',
    [],
    [1, 2],
    {},
    { from: 1 },
    { to: 1 },
    { from: 1, to: 2, step: 1 },
  ];
  const SPAN_WRONG = [
    null,
    5,
    '5 days',
    [],
    {},
    { amount: 5 },
    { unit: 'days' },
    { amount: 5, unit: 'days', from: 1 },
    { amount: 0, unit: 'days' },
    { amount: -1, unit: 'days' },
    { amount: '5', unit: 'days' },
    { amount: null, unit: 'days' },
    { amount: 5, unit: 'years' },
    { amount: 5, unit: 'Days' },
    { amount: 5, unit: 'day' },
    { amount: 5, unit: '__proto__' },
    { amount: 1.5, unit: 'months' },
  ];
  const cases: readonly (readonly [string, string, readonly unknown[]])[] = [
    ...['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'matches'].map(
      (operator) =>
        [
          'hostname',
          operator,
          [...SCALAR_WRONG, true, 'a\u0000', '\ud800', 'x\udfff', 9_007_199_254_740_992],
        ] as const,
    ),
    ...['in', 'notIn'].map(
      (operator) =>
        [
          'hostname',
          operator,
          [...LIST_WRONG, [1], [null], [['x']], ['a', true], ['\u0000'], ['\udc00']],
        ] as const,
    ),
    ...['equals', 'notEquals'].map(
      (operator) =>
        ['status', operator, [...SCALAR_WRONG, 'ONLINE', '', ' online', 5, true, 'on\u0000line']] as const,
    ),
    ...['in', 'notIn'].map(
      (operator) => ['status', operator, [...LIST_WRONG, ['bogus'], [1], ['online', null]]] as const,
    ),
    ...['equals', 'notEquals', 'before', 'after'].map(
      (operator) =>
        [
          'lastSeenAt',
          operator,
          [
            ...SCALAR_WRONG,
            '',
            'now',
            'infinity',
            5,
            true,
            '2026-02-30',
            '10.02.2026',
            '2026-2-1',
            ' 2026-02-10',
            '2026-02-10 08:00',
            '2026-02-10T08:00+2',
            '\ud800',
          ],
        ] as const,
    ),
    [
      'lastSeenAt',
      'between',
      [
        ...RANGE_WRONG,
        { from: 'x', to: '2026-01-01' },
        { from: '2026-02-01', to: '2026-01-01' },
        { from: 1, to: 2 },
      ],
    ],
    ...['withinLast', 'notWithinLast'].map((operator) => ['lastSeenAt', operator, SPAN_WRONG] as const),
    ...['hasAny', 'hasAll'].map(
      (operator) => ['tags', operator, [...LIST_WRONG, [1], [null], ['\u0000'], ['\ud800']]] as const,
    ),
    ['tags', 'contains', [...SCALAR_WRONG, true, '\u0000', '\ud800']],
    ...['equals', 'notEquals'].map(
      (operator) => ['isHeadless', operator, [...SCALAR_WRONG, 'yes', 1, 0, '', 'True', ' true']] as const,
    ),
    ...['equals', 'notEquals'].map(
      (operator) =>
        ['patches.pending', operator, [...SCALAR_WRONG, 'No', 'FALSE', 0, 1, 'maybe', '']] as const,
    ),
    ...['equals', 'notEquals', 'greaterThan', 'greaterThanOrEquals', 'lessThan', 'lessThanOrEquals'].flatMap(
      (operator) =>
        ['uptimeSeconds', 'daysSinceLastSeen', 'metrics.cpuPercent'].map(
          (field) =>
            [
              field,
              operator,
              [
                ...SCALAR_WRONG,
                true,
                '',
                ' 42',
                '42 ',
                '0x2A',
                '1e3',
                '.5',
                '5.',
                '+5',
                'abc',
                '٤',
                9_007_199_254_740_992,
                '9007199254740993',
              ],
            ] as const,
        ),
    ),
    [
      'uptimeSeconds',
      'between',
      [
        ...RANGE_WRONG,
        { from: 2, to: 1 },
        { from: '2026-01-01', to: '2026-02-01' },
        { from: null, to: 1 },
        { from: true, to: false },
      ],
    ],
    ['orgId', 'equals', [...SCALAR_WRONG, 'abc', 5, true, '{00000000-0000-7000-8000-000000000000}', '']],
    ['siteId', 'in', [...LIST_WRONG, ['abc'], [''], [5]]],
    ['software.installed', 'equals', [...SCALAR_WRONG, true, '\u0000']],
    ['software.notInstalled', 'in', [...LIST_WRONG, [5], ['\u0000']]],
    ...['isNull', 'isNotNull'].map(
      (operator) => ['hostname', operator, ['x', '', 0, false, [], {}]] as const,
    ),
    ...['isEmpty', 'isNotEmpty'].map((operator) => ['tags', operator, ['x', '', 0, false, [], {}]] as const),
  ];
  test.each(cases)('%s %s refuses values of the wrong shape', async (field, operator, values) => {
    const before = await tracesOf(service);
    const refusals = await Promise.all(
      values.map((value) => ask('POST', PREVIEW, { conditions: group(GOOD, { field, operator, value }) })),
    );
    refusals.forEach((answer, i) => {
      const [status, code, ...places] = refusalOf(answer);
      expect([values[i], status, code]).toStrictEqual([values[i], 400, 'validation_failed']);
      for (const [path] of places) {
        expect(path).toMatch(/^conditions\.conditions\[1\]\.value(\.(from|to|amount|unit)|\[\d+\])?$/);
      }
    });
    const missing = { field, operator };
    const needsNone = ['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty'].includes(operator);
    const without = await ask('POST', PREVIEW, { conditions: group(missing) });
    expect(without.status === 200 ? [] : refusalOf(without)).toStrictEqual(
      needsNone ? [] : faults([VALUE, 'value_required']),
    );
    if (needsNone)
      expect((await ask('POST', PREVIEW, { conditions: group({ ...missing, value: null }) })).status).toBe(
        200,
      );
    else expect(await tracesOf(service)).toStrictEqual(before);
  });

  test.each(['1e999', '-1e999', '9007199254740993', '-9007199254740993', '1e300'])(
    'the number %s is refused because it is infinite or not exact',
    async (number) => {
      for (const value of [number, `{"from":${number},"to":1}`]) {
        const operator = value === number ? 'equals' : 'between';
        const answer = await refuse(
          `{"operator":"AND","conditions":[{"field":"uptimeSeconds","operator":"${operator}","value":${value}}]}`,
        );
        expect(answer).toStrictEqual(faults([value === number ? VALUE : `${VALUE}.from`, 'invalid_value']));
      }
    },
  );

  test('an infinite amount is refused', async () => {
    const text = `{"operator":"AND","conditions":[{"field":"lastSeenAt","operator":"withinLast","value":{"amount":1e999,"unit":"days"}}]}`;
    expect(await refuse(text)).toStrictEqual(faults([`${VALUE}.amount`, 'invalid_value']));
  });

  test('the refusal of null names isNull if the field has that operator', async () => {
    const messageOf = async (field: string) =>
      problemOf(await ask('POST', PREVIEW, { conditions: group({ field, operator: 'equals', value: null }) }))
        .detail;
    expect(await messageOf('hostname')).toContain('isNull');
    expect(await messageOf('status')).not.toContain('isNull');
  });

  test('a regular expression is refused if it is too long or invalid for PostgreSQL', async () => {
    const matching = (value: string) => group({ field: 'hostname', operator: 'matches', value });
    expect(await refuse(matching('x'.repeat(1001)))).toStrictEqual(faults([VALUE, 'invalid_pattern']));
    expect(await refuse(matching('('))).toStrictEqual(faults([VALUE, 'invalid_pattern']));
    expect((await ask('POST', PREVIEW, { conditions: matching('🦊'.repeat(1000)) })).status).toBe(200);
  });
});
