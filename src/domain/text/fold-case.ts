/**
 * Case folding like PostgreSQL's ILIKE: each character becomes its simple lower-case mapping, regardless of its
 * neighbours. The Kelvin sign is a k and İ an i, but ß is not ss, and final sigma stays apart from sigma.
 * JavaScript's toLowerCase depends on neighbours (Σ) and can lengthen text (İ).
 * Both evaluators compare folded text. The database stores it and never folds, so results do not depend on a server's
 * locale.
 */

// The only characters whose toLowerCase differs from their simple mapping.
const SPECIAL = /[İΣ]/;

/** The text in simple lower case, with the same number of code points (Contract: §4). */
export function foldCase(text: string): string {
  return SPECIAL.test(text)
    ? text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
    : text.toLowerCase();
}
