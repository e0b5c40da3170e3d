/** Texts in which there is nothing to see. */

/**
 * Whether the text is empty, or has only white space and control characters, such as U+0085. No name is: what is let
 * in by any other way has to be taken by a load, or a dump of it could not be loaded. A text with NUL is not blank, as
 * it is a fault of its own.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}]|\0/u.test(text);
}
