/** Ranges `[first, last, first, last, ...]`, both ends inclusive; ascending, disjoint and not adjacent. */
export type CharacterSet = readonly number[];

/** PostgreSQL accepts larger numbers in patterns; they match nothing. */
export const LAST_CODE_POINT = 0x10ffff;

export const ANY_CHARACTER: CharacterSet = [0, LAST_CODE_POINT];

export function rangeSet(first: number, last: number): CharacterSet {
  return first > LAST_CODE_POINT ? [] : [first, Math.min(last, LAST_CODE_POINT)];
}

export function setOf(codePoints: Iterable<number>): CharacterSet {
  return uniteSets(Array.from(codePoints, (codePoint) => rangeSet(codePoint, codePoint)));
}

export function uniteSets(sets: readonly CharacterSet[]): CharacterSet {
  const ranges: [number, number][] = [];
  for (const set of sets) {
    for (let at = 0; at < set.length; at += 2) ranges.push([set[at] as number, set[at + 1] as number]);
  }
  ranges.sort((left, right) => left[0] - right[0]);
  const united: number[] = [];
  for (const [first, last] of ranges) {
    const end = united.at(-1);
    if (end === undefined || first > end + 1) united.push(first, last);
    else if (last > end) united[united.length - 1] = last;
  }
  return united;
}

export function complementSet(set: CharacterSet): CharacterSet {
  const complement: number[] = [];
  let next = 0;
  for (let at = 0; at < set.length; at += 2) {
    const first = set[at] as number;
    if (first > next) complement.push(next, first - 1);
    next = (set[at + 1] as number) + 1;
  }
  if (next <= LAST_CODE_POINT) complement.push(next, LAST_CODE_POINT);
  return complement;
}

export function includesCodePoint(set: CharacterSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < (set[middle * 2] as number)) high = middle - 1;
    else if (codePoint > (set[middle * 2 + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}
