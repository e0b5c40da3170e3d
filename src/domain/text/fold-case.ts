/**
 * Case folding as PostgreSQL's ILIKE has it: every character is replaced by its simple lower-case mapping, one
 * for one and whatever stands beside it. So the Kelvin sign is a k and İ an i, but ß is not ss and the final
 * sigma is not the other one. JavaScript's own toLowerCase looks at the neighbours (Σ at a word's end) and may
 * grow a string (İ), which is why it is only used where neither can happen.
 *
 * Both evaluators compare what this function made: the database stores it and never folds on its own, so that
 * the answer does not depend on a server's locale.
 */

// İ and Σ are the only characters whose toLowerCase differs from their simple mapping.
const SPECIAL = /[İΣ]/;

/** The text with every character in its simple lower case; as many code points as before. Source: Contract §4. */
export function foldCase(text: string): string {
  return SPECIAL.test(text)
    ? text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
    : text.toLowerCase();
}
