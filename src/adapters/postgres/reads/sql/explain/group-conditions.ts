/**
 * Writes groups as SQL on patterns `p`. A pattern stands for all devices with the same bits. Each group
 * becomes a column, so the SQL of outer groups stays short. For an AND, another column counts the parts that
 * fail, which keeps "all parts but this one match" short.
 */
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { ListedNode } from '#domain/filter/conditions/fold-conditions.ts';

/** Integers in JavaScript are exact for this many bits. */
const BITS_PER_KEY = 52;

/** Packs conditions as bits into one or more numbers. A condition that is NULL does not hold. */
export function packBits(conditions: readonly Sql[]): readonly Sql[] {
  const keys: Sql[][] = [[]];
  conditions.forEach((condition, i) => {
    const { key, bit } = placeOfBit(i);
    keys[key] ??= [];
    keys[key].push(sql`case when ${condition} then ${bigint(bit)} else ${bigint(0)} end`);
  });
  return keys.map((terms) => (terms.length === 0 ? bigint(0) : (terms.join(' | ') as Sql)));
}

function placeOfBit(condition: number): { readonly key: number; readonly bit: number } {
  return { key: Math.floor(condition / BITS_PER_KEY), bit: 2 ** (condition % BITS_PER_KEY) };
}

export function isBitSet(keys: readonly number[], condition: number): boolean {
  const { key, bit } = placeOfBit(condition);
  return Math.floor((keys[key] ?? 0) / bit) % 2 === 1;
}

function hasAllBits(key: number, mask: number): Sql {
  return sql`(p.${column('k', key)} & ${bigint(mask)}) = ${bigint(mask)}`;
}

function hasAnyBit(key: number, mask: number): Sql {
  return sql`(p.${column('k', key)} & ${bigint(mask)}) <> 0`;
}

/** Columns `k` hold bits, `g` whether a group matches, `f` how many of its parts fail. */
export function column(kind: 'k' | 'g' | 'f', number: number): Sql {
  return `${kind}${countLiteral(number)}` as Sql;
}

function bigint(value: number): Sql {
  return sql`'${countLiteral(value)}'::int8`;
}

/** Groups of this many levels form a step. Within a step, a group's SQL repeats that of its inner groups. */
const LEVELS_PER_STEP = 16;

export class GroupConditions {
  readonly #nodes: readonly ListedNode[];
  readonly #bitOf: ReadonlyMap<number, number>;
  readonly #membersOf: readonly Members[];
  readonly #stepOf: readonly number[];

  /** `bitOf` maps a node's index to the number of its bit. */
  constructor(nodes: readonly ListedNode[], bitOf: ReadonlyMap<number, number>) {
    this.#nodes = nodes;
    this.#bitOf = bitOf;
    this.#membersOf = nodes.map(() => ({ masks: new Map(), groups: [] }));
    const heights = nodes.map(() => 0);
    // The loop runs backwards, so members come before their group.
    for (let i = nodes.length - 1; i > 0; i--) {
      const parent = nodes[i]?.parent ?? 0;
      heights[parent] = Math.max(heights[parent] ?? 0, (heights[i] ?? 0) + 1);
      this.#addMember(this.#membersOf[parent] as Members, i);
    }
    this.#stepOf = heights.map((height) => Math.floor(height / LEVELS_PER_STEP));
  }

  get steps(): readonly (readonly Sql[])[] {
    const steps: Sql[][] = [];
    const texts = new Map<number, Sql>();
    for (let i = this.#nodes.length - 1; i >= 0; i--) {
      const { node } = this.#nodes[i] ?? {};
      if (node?.kind !== 'group') continue;
      const step = this.#stepOf[i] ?? 0;
      // A group in the same step is not a column yet.
      const textOf = (group: number) =>
        (this.#stepOf[group] === step ? texts.get(group) : undefined) ?? column('g', group);
      const parts = this.#partsOf(i, node.operator === 'AND' ? hasAllBits : hasAnyBit, textOf);
      const text = parts.length === 0 ? ofNothing(node.operator) : joined(parts, node.operator);
      texts.set(i, text);
      steps[step] ??= [];
      steps[step].push(sql`${text} as ${column('g', i)}`);
      if (node.operator === 'AND' && parts.length > 1) {
        const failing = parts.map((part) => sql`(not ${part})::int4`);
        steps[step].push(sql`${failing.join(' + ') as Sql} as ${column('f', i)}`);
      }
    }
    return steps;
  }

  matches(index: number): Sql {
    const bit = this.#bitOf.get(index);
    if (bit === undefined) return sql`p.${column('g', index)}`;
    const place = placeOfBit(bit);
    return hasAllBits(place.key, place.bit);
  }

  /** Whether all siblings of a member match. The parent must be an AND of two or more. */
  siblingsMatch(index: number, parent: number): Sql {
    const { masks, groups } = this.#membersOf[parent] as Members;
    const parts = masks.size + groups.length;
    const bitNumber = this.#bitOf.get(index);
    if (bitNumber === undefined) return othersMatch(parent, parts, this.matches(index)) ?? sql`true`;
    const { key, bit } = placeOfBit(bitNumber);
    const { mask = 0, uses = new Map<number, number>() } = masks.get(key) ?? {};
    // A condition that occurs twice is its own sibling, so its bit stays.
    const rest = uses.get(bit) === 1 ? mask - bit : mask;
    const besides = rest === 0 ? [] : [hasAllBits(key, rest)];
    return joined([...besides, othersMatch(parent, parts, hasAllBits(key, mask)) ?? sql`true`], 'AND');
  }

  #addMember({ masks, groups }: Members, index: number): void {
    const bitNumber = this.#bitOf.get(index);
    if (bitNumber === undefined) {
      groups.push(index);
      return;
    }
    const { key, bit } = placeOfBit(bitNumber);
    const known = masks.get(key) ?? { mask: 0, uses: new Map<number, number>() };
    const times = known.uses.get(bit) ?? 0;
    known.uses.set(bit, times + 1);
    masks.set(key, { mask: times === 0 ? known.mask + bit : known.mask, uses: known.uses });
  }

  /** All conditions packed in one number form one part; each inner group is a part too. */
  #partsOf(
    group: number,
    testBits: (key: number, mask: number) => Sql,
    textOf: (group: number) => Sql,
  ): readonly Sql[] {
    const { masks, groups } = this.#membersOf[group] as Members;
    const tests = Array.from(masks, ([key, { mask }]) => sql`(${testBits(key, mask)})`);
    return [...tests, ...groups.map(textOf)];
  }
}

interface Members {
  /** Keys are the numbers of `k` columns. `uses` counts how often each bit of `mask` occurs. */
  readonly masks: Map<number, { readonly mask: number; readonly uses: Map<number, number> }>;
  readonly groups: number[];
}

/** Null if the AND has no other parts. */
function othersMatch(group: number, parts: number, part: Sql): Sql | null {
  return parts > 1 ? sql`p.${column('f', group)} = (not (${part}))::int4` : null;
}

function joined(parts: readonly Sql[], operator: 'AND' | 'OR'): Sql {
  return sql`(${parts.join(operator === 'AND' ? ' and ' : ' or ') as Sql})`;
}

function ofNothing(operator: 'AND' | 'OR'): Sql {
  return operator === 'AND' ? sql`true` : sql`false`;
}
