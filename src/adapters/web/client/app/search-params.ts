/**
 * Search parameters are plain text, so a filter with quotes can be typed into the address. Only whole numbers, `true`
 * and `false` are converted.
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

export const parseSearch = parseSearchWith(readValue);

export const stringifySearch = stringifySearchWith(JSON.stringify);

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** Parameters that `read` rejects become undefined. Otherwise, the router would keep their raw values. */
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

export function readNext({ next }: Record<string, unknown>): { readonly next?: string | undefined } {
  // An invalid `next` must be undefined, or the router would keep its raw value.
  return { next: typeof next === 'string' && isOwnAddress(next) ? next : undefined };
}

/** Guards against open redirects. Like browsers, `URL` reads `\` as `/` and drops tabs and line breaks. */
export function isOwnAddress(address: string): boolean {
  if (!address.startsWith('/') || !URL.canParse(address, ANY_ORIGIN)) return false;
  return new URL(address, ANY_ORIGIN).origin === ANY_ORIGIN;
}
