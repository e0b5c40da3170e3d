/**
 * Whether the text is empty or has only white space and control characters, such as U+0085. Loads refuse such names,
 * so every other way in must, too: a dump has to load. NUL is a different fault.
 */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Fast path for loads.
  if (first > SPACE && first < DELETE) return false;
  return !/[^\s\p{Cc}]|\0/u.test(text);
}

const SPACE = 0x20;
const DELETE = 0x7f;
