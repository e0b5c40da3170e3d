/**
 * The nearest known word for "did you mean …?", or null. Case and the separators `_`, `-` and space are ignored. A
 * missing, extra, wrong or swapped letter is one edit. One edit is allowed in words of at least three letters, two in
 * words of at least seven.
 *
 * Dotted words are compared part by part, so `custom.foo` is not near `custom.bar`. A word without a dot is also
 * compared to the last part of dotted ones (`cpuCores` finds `hardware.cpuCores`). The same word in another case comes
 * first, then the same last part, then fewest edits.
 *
 * Takes time in proportion to the known words, however long `word` is.
 */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  const candidates = [...known];
  const longest = candidates.reduce((length, candidate) => Math.max(length, candidate.length), 0);
  // Skips the comparison if a text of a megabyte was sent as a key.
  if (word.length > 2 * longest) return null;
  const typed = toParts(word);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = wordDistance(typed, toParts(candidate));
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

const MAX_EDITS = 2;
const LETTERS_PER_EDIT = 3;

/** With two edits, short words become others: `osName` is not `hostname`. */
const LETTERS_FOR_TWO_EDITS = 7;

/** The distance of a match on the last part alone: more than the same word (0), less than one edit (1). */
const MISSING_GROUP = 0.5;

/** Many groups have a `name`, so it does not tell which one is meant. */
const VAGUE_PARTS: ReadonlySet<string> = new Set(['name']);

function toParts(word: string): readonly string[] {
  return word
    .toLowerCase()
    .replace(/[_\- ]/g, '')
    .split('.');
}

function wordDistance(typed: readonly string[], known: readonly string[]): number {
  if (typed.length === known.length) {
    return typed.reduce((sum, part, i) => sum + partDistance(part, known[i] ?? ''), 0);
  }
  if (typed.length === 1) {
    const last = known.at(-1) ?? '';
    return VAGUE_PARTS.has(last)
      ? Number.POSITIVE_INFINITY
      : MISSING_GROUP + partDistance(typed[0] ?? '', last);
  }
  return partDistance(typed.join(''), known.join(''));
}

function partDistance(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  const allowed =
    shorter >= LETTERS_FOR_TWO_EDITS ? MAX_EDITS : Math.min(1, Math.floor(shorter / LETTERS_PER_EDIT));
  // The lengths alone rule out most candidates.
  if (Math.abs(a.length - b.length) > allowed) return Number.POSITIVE_INFINITY;
  const edits = editDistance(a, b);
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY;
}

/** Optimal string alignment: Levenshtein distance, with a swap of neighbors as one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(substituted, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  const value = row[index];
  if (value === undefined) throw new Error(`no column ${index} in a row of edit distances`);
  return value;
}
