/** The list of all nodes of a filter. */
import { describe, expect, test } from 'vitest';
import { countNodes, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';

const A = { field: 'hostname', operator: 'equals', value: 'a' };
const B = { field: 'hostname', operator: 'equals', value: 'b' };

describe('the list of nodes', () => {
  test('is in document order, each with its path and its group', () => {
    const filter = parseFilter(and(A, or(B, and(A)), B));
    const nodes = listNodes(filter);
    expect(nodes.map(({ path, parent }) => [path, parent])).toStrictEqual([
      ['conditions', null],
      ['conditions.conditions[0]', 0],
      ['conditions.conditions[1]', 0],
      ['conditions.conditions[1].conditions[0]', 2],
      ['conditions.conditions[1].conditions[1]', 2],
      ['conditions.conditions[1].conditions[1].conditions[0]', 4],
      ['conditions.conditions[2]', 0],
    ]);
    expect(nodes[0]?.node).toBe(filter);
    expect(nodes[6]?.node).toBe(filter.conditions[2]);
    expect(countNodes(filter)).toBe(nodes.length);
  });

  test('covers every level of a deep filter', () => {
    let deep: RawGroup = and(A);
    for (let level = 1; level < 499; level++) deep = or(deep);
    expect(listNodes(parseFilter(deep)).map(({ parent }) => parent)).toStrictEqual([
      null,
      ...Array.from({ length: 499 }, (_, i) => i),
    ]);
  });

  test('can be counted beforehand, however long it is', () => {
    let deep: RawGroup = and(A);
    for (let level = 1; level < 30_000; level++) deep = or(deep, B);
    expect(countNodes(parseFilter(deep))).toBe(60_000);
  });
});
