/**
 * Like `JSON.stringify`, but for any depth. Before Node 25, `JSON.stringify` fails some thousands of levels
 * deep. The value must be one that `JSON.parse` could have made.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJsonText(value);
  }
}

type Piece = string | { readonly value: unknown };

function deepJsonText(root: unknown): string {
  const texts: string[] = [];
  const left: Piece[] = [{ value: root }];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if (typeof piece === 'string') texts.push(piece);
    else for (const part of partsOf(piece.value).toReversed()) left.push(part);
  }
  return texts.join('');
}

function partsOf(value: unknown): readonly Piece[] {
  // Only elements can be undefined here: members without a value are left out below.
  if (value === undefined) return ['null'];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) {
    const elements = value.flatMap((element: unknown, i): Piece[] => [
      i === 0 ? '' : ',',
      { value: element },
    ]);
    return ['[', ...elements, ']'];
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const pieces = members.flatMap(([name, member], i): Piece[] => [
    `${i === 0 ? '' : ','}${JSON.stringify(name)}:`,
    { value: member },
  ]);
  return ['{', ...pieces, '}'];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two texts of `JSON.stringify` hold the same value. The order of members does not matter. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  // Another order of members does not change the length.
  return one.length === other.length && isSameValue(JSON.parse(one), JSON.parse(other));
}

function isSameValue(one: unknown, other: unknown): boolean {
  const left: [unknown, unknown][] = [[one, other]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      left.push([a[name], b[name]]);
    }
  }
  return true;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
