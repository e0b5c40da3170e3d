/**
 * All words that commands write leave through here. Names in inventories and files are anyone's text, and a terminal would
 * obey the control characters in them.
 */

/** For results. */
export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** For the person at the terminal. */
export function report(message: string): void {
  process.stderr.write(`${visible(message)}\n`);
}

/** Whether a person sees standard output at once. */
export function isShown(): boolean {
  return process.stdout.isTTY === true;
}

/** Writes control characters as `\u001b`, except tabs and line breaks. JSON means the same as before. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (found) => (LAYOUT.has(found) ? found : escaped(found)));
}

/** For a name within a line, where a line break would fake another line. */
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
