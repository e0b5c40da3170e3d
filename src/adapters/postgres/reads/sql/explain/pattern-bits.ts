/** Which conditions hold for a device, as bits in a few numbers: devices with the same numbers make a pattern. */
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';

/** Bits in one number: as many as JavaScript's are exact for. */
const BITS_PER_KEY = 52;

/** The numbers of a device, of which there is at least one. A condition that is NULL does not hold. */
export function packBits(conditions: readonly Sql[]): readonly Sql[] {
  const keys: Sql[][] = [[]];
  conditions.forEach((condition, i) => {
    const { key, bit } = placeOfBit(i);
    keys[key] ??= [];
    keys[key].push(sql`case when ${condition} then ${bigint(bit)} else ${bigint(0)} end`);
  });
  return keys.map((terms) => (terms.length === 0 ? bigint(0) : (terms.join(' | ') as Sql)));
}

/** Which number the condition's bit is in, and its value there. */
export function placeOfBit(condition: number): { readonly key: number; readonly bit: number } {
  return { key: Math.floor(condition / BITS_PER_KEY), bit: 2 ** (condition % BITS_PER_KEY) };
}

/** Whether the condition holds for a device with these numbers. */
export function isBitSet(keys: readonly number[], condition: number): boolean {
  const { key, bit } = placeOfBit(condition);
  return Math.floor((keys[key] ?? 0) / bit) % 2 === 1;
}

/** Whether a pattern has all bits of the mask. */
export function hasAllBits(key: number, mask: number): Sql {
  return sql`(p.${column('k', key)} & ${bigint(mask)}) = ${bigint(mask)}`;
}

/** Whether a pattern has any bit of the mask. */
export function hasAnyBit(key: number, mask: number): Sql {
  return sql`(p.${column('k', key)} & ${bigint(mask)}) <> 0`;
}

/** A column of the patterns: `k` of bits, `g` whether a group matches, `f` how much in it does not. */
export function column(kind: 'k' | 'g' | 'f', number: number): Sql {
  return `${kind}${countLiteral(number)}` as Sql;
}

function bigint(value: number): Sql {
  return sql`'${countLiteral(value)}'::int8`;
}
