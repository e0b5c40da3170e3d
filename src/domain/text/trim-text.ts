/**
 * The text without the Unicode white space and byte order marks around it. `String.trim` leaves U+0085, which is white
 * space to Unicode.
 */
export function trimText(text: string): string {
  return TRIMMED.exec(text)?.[0] ?? '';
}

/** From the first to the last character that is no white space; JavaScript's `\s` lacks U+0085. */
const TRIMMED = /[^\s\p{White_Space}](?:.*[^\s\p{White_Space}])?/su;
