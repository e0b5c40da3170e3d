/** Text that a terminal shows and does not obey. */

/** Escapes control characters, such as `\u001b`, except tabs and line breaks. JSON keeps its meaning. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (found) => (LAYOUT.has(found) ? found : escaped(found)));
}

/** Also escapes line breaks, which would fake another line. */
export function visibleName(text: string): string {
  return text.replace(CONTROLS, escaped);
}

const CONTROLS = /\r\n|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const LAYOUT: ReadonlySet<string> = new Set(['\t', '\n', '\r\n']);

function escaped(found: string): string {
  return Array.from(found, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
