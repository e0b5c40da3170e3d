/**
 * A filter as what counts devices at each of its nodes in one scan. Every condition is evaluated once for each device
 * and becomes a bit; devices with the same bits are counted together, and whatever is said of groups is said of
 * those few patterns. What is left for each further node is next to nothing.
 */
import type { Join } from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { TitleIds } from '#adapters/postgres/reads/sql/conditions/software.ts';
import type { Sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { ListedNode } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { isOneOfSeveralDemands, type NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { EpochMs } from '#domain/time.ts';
import { actualColumn } from './actual-column.ts';
import { GroupConditions } from './group-conditions.ts';
import { isBitSet, packBits } from './pattern-bits.ts';

/** Made by `explanationToSql` alone; `isCompiledExplanation` checks that. */
export interface CompiledExplanation {
  /** The numbers that hold the bits of the device `d`. */
  readonly keys: readonly Sql[];
  /** Whether the keys read nothing of the device `d` but its state. */
  readonly isOfState: boolean;
  /** The tables beside `device d` that they and `actuals` read. */
  readonly joins: ReadonlySet<Join>;
  /** Columns to be added to the patterns `p` of columns k0, k1, ..., one list after the other. */
  readonly steps: readonly (readonly Sql[])[];
  /** Conditions on the patterns with these columns, each of which is counted. */
  readonly counted: readonly Sql[];
  /** What the device `d` has in each field that the filter reads, as JSON. */
  readonly actuals: readonly Sql[];
  /** The counts of each node, from those of the conditions. */
  readonly countsOf: (counts: readonly number[]) => readonly NodeCount[];
  /** Whether the condition at the index holds for a device with these keys. */
  readonly holds: (keys: readonly number[], index: number) => boolean;
  /** What the device has in the field of the condition at the index. */
  readonly actualOf: <T>(actuals: readonly T[], index: number) => T | undefined;
}

export function explanationToSql(
  nodes: readonly ListedNode[],
  evaluation: { readonly at: EpochMs; readonly titleIds: TitleIds },
): CompiledExplanation {
  const joins = new Set<Join>();
  let isOfState = true;
  const bits = new Numbered();
  const bitOf = new Map<number, number>();
  const actuals = new Numbered();
  const actualOf = new Map<number, number>();
  nodes.forEach(({ node }, i) => {
    if (node.kind === 'group') return;
    const { condition, joins: needed, narrow } = filterToSql(simplifyConditions(node), evaluation);
    isOfState &&= narrow === 'state';
    bitOf.set(i, bits.add(condition));
    const { json, join } = actualColumn(node.field);
    actualOf.set(i, actuals.add(json));
    for (const each of [...needed, join]) if (each !== null) joins.add(each);
  });
  const groups = new GroupConditions(nodes, bitOf);
  const counted = new Numbered();
  const places = nodes.map(({ parent }, i) => ({
    count: counted.add(groups.matches(i)),
    countWithout:
      parent !== null && isOneOfSeveralDemands(nodes[parent])
        ? counted.add(groups.siblingsMatch(i, parent))
        : null,
  }));
  const compiled: CompiledExplanation = Object.freeze({
    keys: packBits(bits.texts),
    isOfState,
    joins,
    steps: groups.steps,
    counted: counted.texts,
    actuals: actuals.texts,
    countsOf: (counts) =>
      places.map(({ count, countWithout }) => ({
        count: counts[count] ?? 0,
        countWithout: countWithout === null ? null : (counts[countWithout] ?? 0),
      })),
    holds: (keys, index) => isBitSet(keys, bitOf.get(index) ?? 0),
    actualOf: (values, index) => values[actualOf.get(index) ?? -1],
  } satisfies CompiledExplanation);
  COMPILED.add(compiled);
  return compiled;
}

const COMPILED = new WeakSet<CompiledExplanation>();

/** Whether it was compiled here, and so consists of expressions that nothing in it can break out of. */
export function isCompiledExplanation(value: CompiledExplanation): boolean {
  return COMPILED.has(value);
}

/** Texts by number, each once. */
class Numbered {
  readonly #numbers = new Map<Sql, number>();

  get texts(): readonly Sql[] {
    return [...this.#numbers.keys()];
  }

  add(text: Sql): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}
