/**
 * A filter as what counts devices at each of its nodes in one scan. Every condition is evaluated once for each device
 * and becomes a bit; devices with the same bits are counted together, and whatever is said of groups is said of
 * those few patterns. What is left for each further node is next to nothing.
 */
import type { ListedNode } from '#domain/filter/conditions/list-nodes.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { isOneOfSeveralDemands, type NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import type { EpochMs } from '#domain/time.ts';
import { actualColumn } from './actual-column.ts';
import type { Join } from './device-columns.ts';
import { filterToSql } from './filter-to-sql.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import type { TitleIds } from './software.ts';

/** Bits in one number: as many as JavaScript's are exact for. */
const BITS_PER_KEY = 52;

/** Levels of groups that are worked out at once; their texts contain each other. */
const LEVELS_PER_STEP = 16;

/** Made by `explanationToSql` alone; `isCompiledExplanation` checks that. */
export interface CompiledExplanation {
  /** The numbers that hold the bits of the device `d`. */
  readonly keys: readonly Sql[];
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
  const bits = new Numbered();
  const bitOf = new Map<number, number>();
  const actuals = new Numbered();
  const actualOf = new Map<number, number>();
  nodes.forEach(({ node }, i) => {
    if (node.kind === 'group') return;
    const { condition, joins: needed } = filterToSql(simplifyConditions(node), evaluation);
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
    joins,
    steps: groups.steps,
    counted: counted.texts,
    actuals: actuals.texts,
    countsOf: (counts) =>
      places.map(({ count, countWithout }) => ({
        count: counts[count] ?? 0,
        countWithout: countWithout === null ? null : (counts[countWithout] ?? 0),
      })),
    holds: (keys, index) => {
      const { key, bit } = placeOfBit(bitOf.get(index) ?? 0);
      return Math.floor((keys[key] ?? 0) / bit) % 2 === 1;
    },
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

/** Which number a bit is in, and its value there. */
function placeOfBit(number: number): { readonly key: number; readonly bit: number } {
  return { key: Math.floor(number / BITS_PER_KEY), bit: 2 ** (number % BITS_PER_KEY) };
}

/** At least one number. A condition that is NULL does not hold. */
function packBits(conditions: readonly Sql[]): readonly Sql[] {
  const keys: Sql[][] = [[]];
  conditions.forEach((condition, i) => {
    const { key, bit } = placeOfBit(i);
    keys[key] ??= [];
    keys[key].push(sql`case when ${condition} then ${bigint(bit)} else ${bigint(0)} end`);
  });
  return keys.map((terms) => (terms.length === 0 ? bigint(0) : (terms.join(' | ') as Sql)));
}

function bigint(value: number): Sql {
  return sql`'${countLiteral(value)}'::int8`;
}

/** What is said of groups, as conditions on patterns. Each group is a column of its own. */
class GroupConditions {
  readonly #nodes: readonly ListedNode[];
  readonly #bitOf: ReadonlyMap<number, number>;
  readonly #membersOf: readonly (readonly number[])[];
  readonly #stepOf: readonly number[];

  constructor(nodes: readonly ListedNode[], bitOf: ReadonlyMap<number, number>) {
    this.#nodes = nodes;
    this.#bitOf = bitOf;
    const membersOf: number[][] = nodes.map(() => []);
    const heights = nodes.map(() => 0);
    // From the end on, members come before their group.
    for (let i = nodes.length - 1; i > 0; i--) {
      const parent = nodes[i]?.parent ?? 0;
      membersOf[parent]?.unshift(i);
      heights[parent] = Math.max(heights[parent] ?? 0, (heights[i] ?? 0) + 1);
    }
    this.#membersOf = membersOf;
    this.#stepOf = heights.map((height) => Math.floor(height / LEVELS_PER_STEP));
  }

  /** The columns of all groups. Those of one step contain no groups but those of earlier ones and of their own. */
  get steps(): readonly (readonly Sql[])[] {
    const steps: Sql[][] = [];
    const texts = new Map<number, Sql>();
    for (let i = this.#nodes.length - 1; i >= 0; i--) {
      if (this.#nodes[i]?.node.kind === 'condition') continue;
      const step = this.#stepOf[i] ?? 0;
      // A column of the same step cannot be referred to yet.
      const textOf = (member: number) =>
        (this.#stepOf[member] === step ? texts.get(member) : undefined) ?? this.matches(member);
      const text = this.#groupText(i, textOf);
      texts.set(i, text);
      steps[step] ??= [];
      steps[step].push(sql`${text} as ${column('g', i)}`);
      const failing = this.#groupsAmong(i).map((member) => sql`(not ${textOf(member)})::int4`);
      if (this.#isAnd(i) && failing.length > 0) {
        steps[step].push(sql`${failing.join(' + ') as Sql} as ${column('f', i)}`);
      }
    }
    return steps;
  }

  /** Whether the node matches. */
  matches(index: number): Sql {
    const { node } = this.#nodes[index] ?? {};
    return node?.kind === 'group' ? column('g', index) : this.#allOf([index]);
  }

  /** Whether all siblings match in an AND of two or more. */
  siblingsMatch(index: number, parent: number): Sql {
    const siblings = this.#conditionsAmong(parent).filter((member) => member !== index);
    const groups = this.#groupsAmong(parent);
    const demands = siblings.length === 0 ? [] : [this.#allOf(siblings)];
    const others = groups.filter((member) => member !== index);
    if (others.length > 0) {
      const failing = column('f', parent);
      const ownFailure = groups.length === others.length ? sql`0` : sql`(not ${column('g', index)})::int4`;
      demands.push(sql`${failing} = ${ownFailure}`);
    }
    return demands.join(' and ') as Sql;
  }

  #groupText(index: number, textOf: (member: number) => Sql): Sql {
    const conditions = this.#conditionsAmong(index);
    const groups = this.#groupsAmong(index).map(textOf);
    if (this.#isAnd(index)) {
      const demands = conditions.length === 0 ? groups : [this.#allOf(conditions), ...groups];
      return demands.length === 0 ? sql`true` : sql`(${demands.join(' and ') as Sql})`;
    }
    const choices = conditions.length === 0 ? groups : [this.#anyOf(conditions), ...groups];
    return choices.length === 0 ? sql`false` : sql`(${choices.join(' or ') as Sql})`;
  }

  #allOf(conditions: readonly number[]): Sql {
    const tests = this.#masks(conditions).map(([key, mask]) => sql`(p.${key} & ${mask}) = ${mask}`);
    return tests.join(' and ') as Sql;
  }

  #anyOf(conditions: readonly number[]): Sql {
    const tests = this.#masks(conditions).map(([key, mask]) => sql`(p.${key} & ${mask}) <> 0`);
    return tests.join(' or ') as Sql;
  }

  /** The bits of the conditions, by the column that they are in. */
  #masks(conditions: readonly number[]): readonly (readonly [Sql, Sql])[] {
    const masks = new Map<number, number>();
    for (const bitNumber of new Set(conditions.map((index) => this.#bitOf.get(index) ?? 0))) {
      const { key, bit } = placeOfBit(bitNumber);
      masks.set(key, (masks.get(key) ?? 0) + bit);
    }
    return [...masks].map(([key, mask]) => [column('k', key), bigint(mask)]);
  }

  #isAnd(index: number): boolean {
    const { node } = this.#nodes[index] ?? {};
    return node?.kind === 'group' && node.operator === 'AND';
  }

  #conditionsAmong(group: number): readonly number[] {
    return (this.#membersOf[group] ?? []).filter((member) => this.#bitOf.has(member));
  }

  #groupsAmong(group: number): readonly number[] {
    return (this.#membersOf[group] ?? []).filter((member) => !this.#bitOf.has(member));
  }
}

/** A column of the patterns: `k` of bits, `g` whether a group matches, `f` how many groups in it do not. */
export function column(kind: 'k' | 'g' | 'f', number: number): Sql {
  return `${kind}${countLiteral(number)}` as Sql;
}
