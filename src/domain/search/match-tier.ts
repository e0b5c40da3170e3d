/** How well a title answers a search: the nearer to its beginning, the better (Contract: §6). */

/** Best first. `elsewhere` is within a word of the title, or in another field altogether. */
export const MATCH_TIERS = { exact: 0, prefix: 1, wordStart: 2, elsewhere: 3 } as const;
export type MatchTier = (typeof MATCH_TIERS)[keyof typeof MATCH_TIERS];

/** Both are folded, and the text is not empty. */
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
 * A letter, as Unicode's Alphabetic has it, which counts the vowel signs of Indic scripts and not an emoji's
 * selectors; or a number of any script.
 */
export const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/u;

/** Whether the character before the place is a letter or a digit. */
function isWithinWord(title: string, at: number): boolean {
  const isAstral = at > 1 && (title.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return LETTER_OR_DIGIT.test(title.slice(isAstral ? at - 2 : at - 1, at));
}
