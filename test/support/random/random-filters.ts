/**
 * Random legal filters: every operator on every field, in trees with many conditions on few fields, so that criteria
 * are merged. Some are very deep or very wide.
 */
import fc from 'fast-check';
import type { Device } from '#domain/device/device.ts';
import {
  type CatalogEntry,
  type FieldCatalog,
  type FilterField,
  findEntry,
} from '#domain/filter/catalog/field-catalog.ts';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import { and, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { randomValue, valueSourceOf } from './random-values.ts';

/** Conditions of one field with one operator. */
export interface Leaf {
  readonly field: string;
  readonly operator: string;
  readonly arbitrary: fc.Arbitrary<RawCondition>;
}

/** Every legal pair of field and operator, with values that fit the devices. */
export function leavesOf(catalog: FieldCatalog, devices: readonly Device[]): readonly Leaf[] {
  return [...catalog.values(), ...titlesOf(catalog, devices)].flatMap((entry) => {
    if (entry.kind === 'ambiguous' || isUnknown(entry.field)) return [];
    const source = valueSourceOf(entry.field, devices);
    const field = entry.field.key;
    return entry.field.operators.map((operator) => ({
      field,
      operator,
      arbitrary: randomValue(source, operator).map((value) => ({
        field,
        operator,
        ...(value !== undefined && { value }),
      })),
    }));
  });
}

/** Whether the field refers to filters and there are none. */
function isUnknown(field: FilterField): boolean {
  return field.reads === 'filter' && (field.inner?.size ?? 0) === 0;
}

/** The versions of some titles of devices, in either case, and of a title that no device has. */
function titlesOf(catalog: FieldCatalog, devices: readonly Device[]): readonly CatalogEntry[] {
  const names = [...new Set(devices.flatMap(({ software }) => software.map(({ name }) => name)))];
  const named = [...names.slice(0, TITLES), ...names.slice(-TITLES), 'a "b" ]:c'];
  return named.flatMap(
    (name, i) => findEntry(catalog, keyOfTitle(i % 2 === 0 ? name : name.toUpperCase())) ?? [],
  );
}

const TITLES = 3;

/** A filter of any of the leaves, each equally likely. */
export function randomFilter(leaves: readonly Leaf[]): fc.Arbitrary<RawGroup> {
  const any = oneOf(leaves);
  const focused = <T>(build: (leaf: fc.Arbitrary<RawCondition>) => fc.Arbitrary<T>) =>
    fc.oneof(
      fc
        .array(fc.constantFrom(...leaves), { minLength: 1, maxLength: 4 })
        .chain((some) => build(oneOf(some))),
      fc
        .constantFrom(...leaves)
        .chain(({ field }) => build(oneOf(leaves.filter((leaf) => leaf.field === field)))),
    );
  return fc.oneof(
    { weight: 240, arbitrary: tree(MAX_DEPTH, any) },
    { weight: 120, arbitrary: focused((leaf) => tree(MAX_DEPTH, leaf)) },
    { weight: 40, arbitrary: any.map((condition) => and(condition)) },
    { weight: 1, arbitrary: deep(any) },
    { weight: 1, arbitrary: focused(deep) },
    { weight: 1, arbitrary: focused(wide) },
  );
}

/** The maximum depth of groups. */
const MAX_DEPTH = 6;

const groupOperator = fc.constantFrom('AND', 'OR');

function oneOf(leaves: readonly Leaf[]): fc.Arbitrary<RawCondition> {
  return fc.oneof(...leaves.map(({ arbitrary }) => arbitrary));
}

function tree(depth: number, leaf: fc.Arbitrary<RawCondition>): fc.Arbitrary<RawGroup> {
  const member: fc.Arbitrary<RawCondition | RawGroup> =
    depth === 1
      ? leaf
      : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: tree(depth - 1, leaf) });
  return fc.record({
    operator: groupOperator,
    conditions: fc.array(member, { minLength: 1, maxLength: 6, size: 'max' }),
  });
}

/** Thousands of levels, each with one of a few conditions. */
function deep(leaf: fc.Arbitrary<RawCondition>): fc.Arbitrary<RawGroup> {
  return fc
    .record({
      operators: fc.array(groupOperator, { minLength: 2, maxLength: 7 }),
      conditions: fc.array(leaf, { minLength: 1, maxLength: 30, size: 'max' }),
      depth: fc.integer({ min: 1000, max: 5000 }),
    })
    .map(({ operators, conditions, depth }) => {
      const at = <T>(list: readonly T[], level: number) => list[level % list.length] as T;
      let group: RawGroup = { operator: at(operators, 0), conditions: [at(conditions, 0)] };
      for (let level = 1; level < depth; level++) {
        const members = [at(conditions, level), group];
        group = {
          operator: at(operators, level),
          conditions: level % 3 === 0 ? members.toReversed() : members,
        };
      }
      return group;
    });
}

function wide(leaf: fc.Arbitrary<RawCondition>): fc.Arbitrary<RawGroup> {
  return fc.record({
    operator: groupOperator,
    conditions: fc.array(leaf, { minLength: 3000, maxLength: 3000, size: 'max' }),
  });
}
