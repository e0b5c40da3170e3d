/**
 * Orders texts by code point, like PostgreSQL's "C" collation. JavaScript's `<` compares UTF-16 units and puts an
 * emoji before U+FFFD; here it comes after.
 */

/** Negative, zero or positive, as for `Array.sort`. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates sort after the rest of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
