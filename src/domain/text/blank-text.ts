/** Texts in which there is nothing to see. */

/**
 * Whether the text is empty, or has only white space and control characters, such as U+0085. A load takes no such
 * name, so nothing else may let one in, or a dump of it could not be loaded. A text with NUL is not blank, as it is a
 * fault of its own.
 */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins like that, and a load asks for each.
  if (first > SPACE && first < DELETE) return false;
  return !/[^\s\p{Cc}]|\0/u.test(text);
}

const SPACE = 0x20;
const DELETE = 0x7f;
