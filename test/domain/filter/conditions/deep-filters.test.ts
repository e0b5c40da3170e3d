/** Thirty thousand levels, which a body of one megabyte can carry: nothing may overflow the stack. */
import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { fieldsUsed, foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { printConditions } from '#domain/filter/conditions/print-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compilePredicate, type DevicePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { aDevice, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';

const LEVELS = 30_000;

const INNERMOST: RawCondition = { field: 'hostname', operator: 'matches', value: '^deep$' };
const BESIDE: RawCondition = { field: 'displayName', operator: 'isNotNull' };

/** Groups of one. */
function nestAlone(): RawGroup {
  let group = and(INNERMOST);
  for (let level = 1; level < LEVELS; level++) group = level % 2 === 0 ? and(group) : or(group);
  return group;
}

/** AND and OR in turn, each with a condition beside the group: nothing can be dissolved. */
function nestWithConditions(): RawGroup {
  let group = and(INNERMOST, BESIDE);
  for (let level = 1; level < LEVELS; level++)
    group = level % 2 === 0 ? and(BESIDE, group) : or(group, INNERMOST);
  return group;
}

/** The same operator all the way down. */
function nestAlike(): RawGroup {
  let group = and(INNERMOST);
  for (let level = 1; level < LEVELS; level++) group = and(group, BESIDE);
  return group;
}

const SHAPES: readonly [string, () => RawGroup][] = [
  ['groups of one', nestAlone],
  ['a condition on every level', nestWithConditions],
  ['one operator on every level', nestAlike],
];

function compile(filter: ConditionGroup): DevicePredicate {
  const compiled = compilePredicate(filter, translatePattern);
  if (!compiled.ok) throw new Error('the filter was refused');
  return compiled.value;
}

function evaluate(matches: DevicePredicate, hostname: string, displayName: string | null): boolean {
  const { kind: _kind, ...device } = aDevice({ orgId: newId(), hostname, displayName });
  return matches({ ...device, pendingPatchCount: 0, criticalAlertCount: 0 }, SOME_INSTANT);
}

test.each(SHAPES)(
  'filters with %s are parsed, walked and printed, and faults in them are located',
  (_name, nest) => {
    const json: unknown = JSON.parse(JSON.stringify(nest()));
    const filter = parseFilter(json);
    const depth = foldConditions(filter, {
      condition: () => 0,
      group: (_group, members) => 1 + Math.max(...members),
    });
    expect(depth).toBe(LEVELS);
    expect(fieldsUsed(filter)).toContain('hostname');
    const refused = parseConditions(json, CORE_CATALOG, () => 'is refused');
    expect(refused.ok ? '' : refused.error[0]?.path).toContain(`…(${LEVELS - 40} levels)…`);
    expect(printConditions(filter)).toContain('hostname matches "^deep$"');
  },
);

test.each([
  ['groups of one', nestAlone, true, true],
  // The outermost group is an OR that has the hostname beside it.
  ['a condition on every level', nestWithConditions, true, true],
  ['one operator on every level', nestAlike, true, false],
])('filters with %s are simplified, compiled and evaluated', (_name, nest, isNamedFound, isNamelessFound) => {
  const filter = parseFilter(nest());
  const matches = compile(filter);
  expect(evaluate(matches, 'deep', 'Deep')).toBe(isNamedFound);
  expect(evaluate(matches, 'deep', null)).toBe(isNamelessFound);
  expect(evaluate(matches, 'shallow', 'Shallow')).toBe(false);
  expect(simplifyConditions(filter).kind).toBe(nest === nestAlone ? 'condition' : 'group');
});

test('a fault thirty thousand levels down is found and named', () => {
  let group: RawGroup = and({ ...INNERMOST, field: 'nope' });
  for (let level = 1; level < LEVELS; level++) group = or(group);
  const parsed = parseConditions(group, CORE_CATALOG);
  expect(parsed.ok ? [] : parsed.error.map(({ code }) => code)).toStrictEqual(['unknown_field']);
});

test('two hundred thousand alternatives are evaluated', () => {
  const one = and({ field: 'hostname', operator: 'startsWith', value: 'a' }, BESIDE);
  const conditions = [...Array<RawGroup>(200_000).fill(one), and(INNERMOST, BESIDE)];
  const matches = compile(parseFilter({ operator: 'OR', conditions }));
  expect(evaluate(matches, 'deep', 'x')).toBe(true);
  expect(evaluate(matches, 'ab', 'x')).toBe(true);
  expect(evaluate(matches, 'b', 'x')).toBe(false);
});
