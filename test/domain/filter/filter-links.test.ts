/** Cycles and chains among filters that name each other, checked against a naive search. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { type FilterLink, findLinkFault, MAX_FILTER_CHAIN } from '#domain/filter/filter-links.ts';
import type { FilterId } from '#domain/ids.ts';
import { newId } from '#test/support/builders.ts';

const idOf = (n: number) => `f${n}` as FilterId;

function linkOf(n: number, named: readonly number[]): FilterLink {
  const owner = { orgId: null, partnerId: null };
  return { id: idOf(n), name: `Filter ${n}`, ...owner, version: 1, named: named.map(idOf) };
}

/** Each filter names only earlier filters, so there is no cycle. */
const graphs = fc
  .array(fc.array(fc.nat({ max: 1000 }), { maxLength: 3 }), { minLength: 1, maxLength: 40 })
  .map((all) => all.map((named, n) => (n === 0 ? [] : named.map((each) => each % n))));

/** The length of the longest path from here that visits no filter twice. */
function longest(graph: readonly (readonly number[])[], from: number, seen: readonly number[] = []): number {
  const rest = (graph[from] ?? []).filter((each) => !seen.includes(each));
  return 1 + Math.max(0, ...rest.map((each) => longest(graph, each, [...seen, from])));
}

function reach(graph: readonly (readonly number[])[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set(from);
  for (const each of reached) for (const next of graph[each] ?? []) reached.add(next);
  return reached;
}

const reversed = (graph: readonly (readonly number[])[]) =>
  graph.map((_, n) => graph.flatMap((named, each) => (named.includes(n) ? [each] : [])));

function ask(graph: readonly (readonly number[])[], changed: number, named: readonly number[]) {
  const links = (of: ReadonlySet<number>) => [...of].map((n) => linkOf(n, graph[n] ?? []));
  const outer = new Set([...reach(reversed(graph), [changed])].filter((n) => n !== changed));
  return findLinkFault(linkOf(changed, named), links(reach(graph, named)), links(outer));
}

test('a cycle is found exactly if there is one, and the message names its path', () => {
  fc.assert(
    fc.property(graphs, fc.nat(), fc.array(fc.nat(), { maxLength: 3 }), (graph, a, b) => {
      const changed = a % graph.length;
      const named = b.map((each) => each % graph.length);
      const fault = ask(graph, changed, named);
      const isCycle = reach(graph, named).has(changed);
      expect(fault?.code === 'filter_cycle').toBe(isCycle);
      if (fault?.code !== 'filter_cycle') return;
      const way = [...fault.message.matchAll(/\(f(\d+)\)/g)].map(([, n]) => Number(n));
      expect([way[0], way.at(-1)]).toStrictEqual([changed, changed]);
      const after = graph.with(changed, named);
      for (const [i, each] of way.slice(1).entries()) expect(after[way[i] ?? -1]).toContain(each);
    }),
  );
});

test('a chain is as long as the longest path through the filter', () => {
  let tooDeep = 0;
  const chains = fc.integer({ min: 12, max: 30 }).chain((length) =>
    fc.record({
      graph: fc.constant(
        Array.from({ length }, (_, n) => (n === 0 ? [] : n % 7 === 0 ? [n - 1, 0] : [n - 1])),
      ),
      changed: fc.integer({ min: 1, max: length - 1 }),
      by: fc.integer({ min: 1, max: 4 }),
    }),
  );
  fc.assert(
    fc.property(chains, ({ graph, changed, by }) => {
      const named = [Math.max(0, changed - by)];
      const after = graph.with(changed, named);
      const length = longest(after, changed) + longest(reversed(after), changed) - 1;
      const fault = ask(graph, changed, named);
      expect(fault?.code ?? null).toBe(length > MAX_FILTER_CHAIN ? 'filter_too_deep' : null);
      if (fault !== null) tooDeep++;
    }),
  );
  expect(tooDeep).toBeGreaterThan(10);
});

test('the named filters are read from conditions of any depth and shape', () => {
  const [one, two] = [newId(), newId()];
  const leaf = JSON.stringify({ field: 'filter', operator: 'in', value: [one.toUpperCase(), two, one, 5] });
  const deep = `${'{"operator":"AND","conditions":['.repeat(20_000)}${leaf}${']}'.repeat(20_000)}`;
  expect(namedIn(deep)).toStrictEqual([one, two]);
  expect(
    namedIn('{"operator":"AND","conditions":[null,5,{"field":"filter"},{"field":"tags","value":"filter"}]}'),
  ).toStrictEqual([]);
});
