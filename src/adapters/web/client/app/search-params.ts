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
