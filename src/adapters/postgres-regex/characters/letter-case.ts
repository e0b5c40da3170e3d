/**
 * Case as in PostgreSQL's builtin C.UTF-8 locale: one character to one, in any language. JavaScript's `i` flag
 * differs: it makes ſ an s in both directions.
 */
import { type CharacterSet, rangeSet, setOf, uniteSets } from './character-set.ts';
import { TO_LOWERCASE_RUNS, TO_UPPERCASE_RUNS } from './unicode-tables.ts';

/** Matches of a single character in a case-insensitive pattern. */
export function caseVariants(codePoint: number): CharacterSet {
  // The letter itself is not added: PostgreSQL's `(?i)ǅ` matches Ǆ and ǆ but not ǅ.
  const { lower, upper } = caseMappings();
  return setOf([lower.get(codePoint) ?? codePoint, upper.get(codePoint) ?? codePoint]);
}

/** A range in a case-insensitive pattern: the range and both cases of its members. */
export function rangeWithCaseVariants(first: number, last: number): CharacterSet {
  const { lower, upper } = caseMappings();
  const variants: number[] = [];
  for (const mapping of [lower, upper]) {
    for (const [from, to] of mapping) if (first <= from && from <= last) variants.push(to);
  }
  return uniteSets([rangeSet(first, last), setOf(variants)]);
}

interface CaseMappings {
  readonly lower: ReadonlyMap<number, number>;
  readonly upper: ReadonlyMap<number, number>;
}

let decoded: CaseMappings | undefined;

/** Decoded on first use, because few patterns ignore case. */
function caseMappings(): CaseMappings {
  decoded ??= { lower: decodeRuns(TO_LOWERCASE_RUNS), upper: decodeRuns(TO_UPPERCASE_RUNS) };
  return decoded;
}

function decodeRuns(text: string): Map<number, number> {
  const mapping = new Map<number, number>();
  let start = 0;
  for (const run of text.trim().split(/\s+/)) {
    const [advance = 0, shift = 0, count = 1, stride = 1] = run
      .split('.')
      .map((digits) => Number.parseInt(digits, 36));
    start += advance;
    for (let index = 0; index < count; index += 1) {
      const from = start + index * stride;
      mapping.set(from, from + shift);
    }
  }
  return mapping;
}
