/** How well a title matches a search: the closer to its start, the better (Contract: §6). */

/** Best first. `elsewhere` is inside a word of the title, or in another field. */
export const MATCH_TIERS = { exact: 0, prefix: 1, wordStart: 2, elsewhere: 3 } as const;
export type MatchTier = (typeof MATCH_TIERS)[keyof typeof MATCH_TIERS];

/** Both texts are case-folded, and `foldedText` is not empty. */
export function findMatchTier(foldedTitle: string, foldedText: string): MatchTier {
  let at = foldedTitle.indexOf(foldedText);
  if (at === 0) {
    return foldedTitle.length === foldedText.length ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
  }
  while (at > 0) {
    if (!isWithinWord(foldedTitle, at)) return MATCH_TIERS.wordStart;
    at = foldedTitle.indexOf(foldedText, at + 1);
  }
  return MATCH_TIERS.elsewhere;
}

/**
 * A letter or a number of any script. Unicode's Alphabetic includes the vowel signs of Indic scripts and excludes an
 * emoji's variation selectors.
 */
export const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/u;

/** Whether the character before `at` is a letter or a digit. */
function isWithinWord(title: string, at: number): boolean {
  const isAstral = at > 1 && (title.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return LETTER_OR_DIGIT.test(title.slice(isAstral ? at - 2 : at - 1, at));
}
