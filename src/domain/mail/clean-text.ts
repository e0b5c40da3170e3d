/** What people typed, made fit to stand among words of ours: no control characters, and nothing that turns text round. */

/** Lines of what was typed, without the empty ones at either end; every kind of line break counts. */
export function typedLines(text: string): readonly string[] {
  const lines = text
    .replace(LINE_BREAK, '\n')
    .replace(UNPRINTABLE, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** The same on one line, cut to `maxLength` code points. */
export function typedLine(text: string, maxLength: number): string {
  const line = typedLines(text).join(' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

// CR LF counts as one; vertical tab, form feed, NEL and Unicode's own separators break lines in some readers.
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu;

// Controls but the tab and the line feed; marks, embeddings, overrides and isolates of direction; half surrogates.
const UNPRINTABLE = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
