/** The known word that a misspelt one was most likely meant to be, for messages that suggest it. */

/**
 * The nearest known word, or null where none is near. Case does not count; a missing, extra, wrong or swapped
 * pair of letters counts one, and a third of the longer word (three at most, one at least) may differ. The last
 * part of a dotted word is near to the whole of it (`cpuCores` to `hardware.cpuCores`). Ties go to the first.
 * Takes time in proportion to the known words, however long `word` is.
 */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  const candidates = [...known];
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const allowed = Math.min(
      MAX_DISTANCE,
      Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)),
    );
    // Each letter of difference in length is one edit, so the lengths alone rule most candidates out.
    if (Math.abs(word.length - candidate.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= allowed && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest ?? dottedWordEndingIn(word, candidates);
}

const MAX_DISTANCE = 3;

function dottedWordEndingIn(word: string, candidates: readonly string[]): string | null {
  const ending = `.${word.toLowerCase()}`;
  return candidates.find((candidate) => candidate.toLowerCase().endsWith(ending)) ?? null;
}

/** Optimal string alignment: Levenshtein's distance, with two swapped neighbours as one edit. */
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
