/**
 * Case folding like that of PostgreSQL's ILIKE: every character becomes its simple lower-case mapping, one for one,
 * regardless of its neighbours. So the Kelvin sign is a k and İ an i, but ß is not ss, and final sigma differs from
 * sigma. JavaScript's toLowerCase depends on neighbours (Σ at the end of a word) and can lengthen a string (İ), so it
 * is used only where neither can happen.
 *
 * Both evaluators compare what this function returns. The database stores it and never folds on its own, so results
 * do not depend on a server's locale.
 */

// İ and Σ are the only characters whose toLowerCase differs from their simple mapping.
const SPECIAL = /[İΣ]/;

/** The text with every character in simple lower case; the number of code points stays the same (Contract: §4). */
export function foldCase(text: string): string {
  return SPECIAL.test(text)
    ? text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
    : text.toLowerCase();
}
