/** The first closing character without a backslash before it, or -1. */
export function findUnescaped(text: string, from: number, closing: '"' | '/'): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === closing) return i;
    if (text[i] === '\\') i++;
  }
  return -1;
}

/** The end of a value that is not understood: white space or a parenthesis outside quotes. */
export function skipValue(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = endOfMatch(/[^\s()"]*/y, text, at);
    if (text[at] !== '"') return at;
    const closing = findUnescaped(text, at + 1, '"');
    if (closing === -1) return text.length;
    at = closing + 1;
  }
}

/** The end of the match at `at`, or `at` if there is none. `expression` must be sticky. */
export function endOfMatch(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}
