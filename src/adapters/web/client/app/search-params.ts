/**
 * The part of an address behind the `?`. Values are texts as people write them, so that a filter with quotes in it can
 * be typed into the address; whole numbers and `true` and `false` are read as such.
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

export const parseSearch = parseSearchWith(readValue);

export const stringifySearch = stringifySearchWith(JSON.stringify);

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/**
 * Reads the parameters of a page by `read`. What it leaves out is named as undefined: the router puts what a page reads
 * over what the address says, so that only what is named is gone.
 */
export function readOnly<S extends object>(
  names: readonly (keyof S & string)[],
  read: (sent: Record<string, unknown>) => S,
): (sent: Record<string, unknown>) => S {
  return (sent) => {
    const refused = names.filter((name) => sent[name] !== undefined).map((name) => [name, undefined]);
    return { ...Object.fromEntries(refused), ...read(sent) };
  };
}

const ANY_ORIGIN = 'https://console.invalid';

/**
 * Whether it is a path of this console, and nothing that a browser would take for another host. It is read as a browser
 * does, which turns backslashes round, and leaves out tabs and line breaks.
 */
export function isOwnAddress(address: string): boolean {
  if (!address.startsWith('/') || !URL.canParse(address, ANY_ORIGIN)) return false;
  return new URL(address, ANY_ORIGIN).origin === ANY_ORIGIN;
}
