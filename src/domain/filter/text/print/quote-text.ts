/** Texts as they are written into a filter text: as they are where that is safe, else in double quotes. */

/** The text in quotes, whatever it holds. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** Where a text stands: a lone value may hold commas, an element of a list may not, a bare value has no key. */
export type TextPlace = 'value' | 'element' | 'bare';

/** The text as it is where nothing in it would be read as more than a text, else in quotes. */
export function quoteWhereNeeded(text: string, place: TextPlace): string {
  return isPlain(text, place) ? text : quote(text);
}

/** Visible characters only; spaces of every kind, controls and joiners need quotes. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;

const RESERVED: Readonly<Record<TextPlace, RegExp>> = {
  value: /^[=<>[/]|["()*]|^(?:none|any)$/,
  element: /^[=<>/]|["()*,[\]]|^(?:none|any)$/,
  bare: /^[-=<>[/]|["()*:]|^(?:AND|OR|NOT|none|any)$/,
};

function isPlain(text: string, place: TextPlace): boolean {
  return VISIBLE.test(text) && !RESERVED[place].test(text);
}
