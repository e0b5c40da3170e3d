/** A simplified filter keeps its meaning: checked against a plain evaluation of the tree. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { Condition, ConditionGroup, Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { CONDITION_AT, CONDITION_DEVICES, CONDITION_ORG_ID } from '#test/support/condition-cases/fleet.ts';
import { CONDITION_CASES } from '#test/support/condition-cases.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';

const DEVICES: readonly Device[] = CONDITION_DEVICES.map(({ kind: _kind, ...device }, i) => ({
  ...device,
  pendingPatchCount: device.patches?.length ?? 0,
  criticalAlertCount: i % 3,
}));

const CATALOG = buildCatalog(
  resolveCustomFields(
    (
      [
        ['note', 'text'],
        ['seats', 'number'],
        ['leased', 'boolean'],
        ['ring', 'dropdown'],
        ['bought', 'date'],
        ['retired', 'text'],
      ] as const
    ).map(([key, type]) => ({
      key,
      label: key,
      type,
      choices: type === 'dropdown' ? ['alpha', 'beta'] : [],
      owner: 'organization',
      orgIds: [CONDITION_ORG_ID],
    })),
  ),
);

function matchAll(filter: Node<Criterion>): readonly boolean[] {
  const compiled = compilePredicate(filter, translatePattern);
  if (!compiled.ok) throw new Error('the filter was refused');
  return DEVICES.map((device) => compiled.value(device, CONDITION_AT));
}

/** Evaluates each condition alone, and combines the answers with plain AND and OR. */
function matchPlainly(filter: ConditionGroup): readonly boolean[] {
  return foldConditions<Condition, readonly boolean[]>(filter, {
    condition: (condition) => matchAll(condition),
    group: ({ operator }, members) =>
      DEVICES.map((_, i) =>
        operator === 'AND' ? members.every((member) => member[i]) : members.some((member) => member[i]),
      ),
  });
}

const conditions = fc.constantFrom(...CONDITION_CASES.map(({ condition }) => condition));

/** Several conditions on one field, so that there is something to merge. */
const sameField = conditions.chain(({ field }) =>
  fc.array(
    fc.constantFrom(
      ...CONDITION_CASES.map(({ condition }) => condition).filter((other) => other.field === field),
    ),
    { minLength: 1, maxLength: 6 },
  ),
);

const { group: groups } = fc.letrec<{ group: RawGroup; member: RawGroup | RawCondition }>((tie) => ({
  group: fc
    .tuple(
      fc.constantFrom('AND' as const, 'OR' as const),
      fc.array(tie('member'), { minLength: 1, maxLength: 4 }),
      sameField,
    )
    .map(([operator, members, alike]) => ({ operator, conditions: [...members, ...alike] })),
  member: fc.oneof({ depthSize: 'small', withCrossShrink: true }, conditions, tie('group')),
}));

test('the compiled filter agrees with a plain evaluation of the tree, device by device', () => {
  fc.assert(
    fc.property(groups, (raw) => {
      const filter = parseFilter(raw, CATALOG);
      expect(matchAll(filter)).toStrictEqual(matchPlainly(filter));
    }),
    { numRuns: 1000 },
  );
});

test('simplifying twice gives the same as simplifying once', () => {
  fc.assert(
    fc.property(groups, (raw) => {
      const once = simplifyConditions(parseFilter(raw, CATALOG));
      expect(simplifyConditions(once)).toStrictEqual(once);
    }),
    { numRuns: 300 },
  );
});

test('a deep chain of groups that dissolve late is simplified as a whole', () => {
  let group = and(BARE, ONLINE);
  for (let level = 1; level < 10_000; level++) {
    group = and(or(group, NEVER), { ...BARE, operator: 'notEquals', value: `host-${level}` }, TAGGED);
  }
  const simplified = simplifyConditions(parseFilter(group));
  expect(simplifyConditions(simplified)).toStrictEqual(simplified);
  expect(simplified.kind === 'group' ? simplified.conditions.length : 0).toBe(10_001);
});

const TAGGED: RawCondition = { field: 'tags', operator: 'hasAny', value: ['vpn'] };
const ONLINE: RawCondition = { field: 'status', operator: 'equals', value: 'online' };
const BARE: RawCondition = { field: 'hostname', operator: 'equals', value: 'bare' };
const NEVER: RawCondition = { field: 'hostname', operator: 'in', value: [] };
const ALWAYS: RawCondition = { field: 'hostname', operator: 'notIn', value: [] };

/** The shape of a simplified filter: field keys, and groups of them. */
function shapeOf(raw: RawGroup): string {
  return foldConditions<Criterion, string>(simplifyConditions(parseFilter(raw)), {
    condition: ({ field, isNegated }) => `${isNegated ? 'not ' : ''}${field.key}`,
    group: ({ operator }, members) => `${operator}(${members.join(', ')})`,
  });
}

test.each([
  ['groups of one dissolve', and(or(and(ONLINE))), 'status'],
  [
    'groups dissolve inside a group with the same operator',
    and(ONLINE, and(BARE, and(ALWAYS, BARE))),
    'AND(status, hostname)',
  ],
  ['groups with the other operator stay', and(ONLINE, or(BARE, ONLINE)), 'AND(status, OR(hostname, status))'],
  ['AND drops a condition that always holds', and(ALWAYS, ONLINE), 'status'],
  ['a condition that always holds decides OR', or(ONLINE, ALWAYS), 'AND()'],
  ['OR drops a condition that never holds', or(NEVER, ONLINE), 'status'],
  ['a condition that never holds decides AND', and(ONLINE, NEVER), 'OR()'],
  [
    // Seed -1801776298 of the property above.
    'the members of a group that dissolves late merge with their new siblings',
    and(or(and(ONLINE, BARE), { field: 'software.installed', operator: 'in', value: [] }), ONLINE),
    'AND(status, hostname)',
  ],
  [
    'a contradiction with the members of a group that dissolves late decides AND',
    and(or(and(ONLINE, BARE), NEVER), { ...BARE, value: 'plain' }, or(ONLINE, TAGGED)),
    'OR()',
  ],
  [
    'members stay in their order, conditions before groups',
    and(or(BARE, TAGGED), TAGGED, or(and(ONLINE, or(BARE, ONLINE)), NEVER), ALWAYS, {
      ...BARE,
      field: 'osBuild',
    }),
    'AND(tags, status, osBuild, OR(hostname, tags), OR(hostname, status))',
  ],
  ['AND drops a group that always holds', and(ONLINE, or(BARE, ALWAYS)), 'status'],
  [
    'alternative values of one field become one condition',
    or(...Array.from({ length: 1000 }, (_, i) => ({ ...BARE, value: `host-${i}` }))),
    'hostname',
  ],
  [
    'negated values of one field become one condition',
    and(...['a', 'b', 'c'].map((value) => ({ ...BARE, operator: 'notEquals', value }))),
    'not hostname',
  ],
  ['two values of one field at once never hold', and(BARE, { ...BARE, value: 'plain' }), 'OR()'],
  [
    'conditions on two interfaces stay separate',
    and(
      { field: 'network.ipAddress', operator: 'equals', value: 'a' },
      { field: 'network.ipAddress', operator: 'equals', value: 'b' },
    ),
    'AND(network.ipAddress, network.ipAddress)',
  ],
])('%s', (_name, raw, shape) => {
  expect(shapeOf(raw)).toBe(shape);
});

test('filters without custom fields parse the same with the core catalog', () => {
  expect(parseFilter(and(ONLINE), CATALOG)).toStrictEqual(parseFilter(and(ONLINE), CORE_CATALOG));
});
