/** Values of environment variables. */
import { isIP } from 'node:net';
import * as v from 'valibot';

export interface Setting<T> {
  readonly variable: string;
  readonly schema: v.GenericSchema<unknown, T>;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: v.InferOutput<S[K]['schema']> };

export interface Sender {
  readonly name: string | null;
  readonly address: string;
}

export function setting<T>(
  variable: string,
  schema: v.GenericSchema<string | null | undefined, T>,
): Setting<T> {
  return { variable, schema: schema as v.GenericSchema<unknown, T> };
}

export function optional<T>(variable: string, schema: v.GenericSchema<string, T>): Setting<T | null> {
  return setting(variable, v.nullish(schema, null));
}

export const string = (fallback: string) => v.optional(v.string(), fallback);

export const checked = (isValid: (text: string) => boolean, message: string) =>
  v.pipe(v.string(), v.check(isValid, message));

export const onOff = (fallback: 'on' | 'off') =>
  v.pipe(
    v.optional(v.picklist(['on', 'off'], 'must be on or off'), fallback),
    v.transform((value) => value === 'on'),
  );

export const integer = (min: number, max: number, unit = '') =>
  v.pipe(
    checked(
      (text) => /^[0-9]{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number${unit && ` of ${unit}`} from ${min} to ${max}`,
    ),
    v.transform(Number),
  );

export const integerOr = (fallback: number, min: number, max: number) =>
  v.optional(integer(min, max), String(fallback));

export const list = (isValid: (part: string) => boolean, message: string) =>
  v.pipe(
    string(''),
    v.transform((text): readonly string[] =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    v.check((parts) => parts.every(isValid), message),
  );

/** Drops trailing slashes, because paths are appended. */
export const baseUrl = (example: string) =>
  v.pipe(
    checked(
      (text) => isPageUrl(text) && !/[?#]/.test(text),
      `must be a URL such as ${example}, without a query`,
    ),
    v.transform((text) => new URL(text).href.replace(/\/+$/, '')),
  );

/** Links in mails begin with this URL, so 0.0.0.0 and port 0 are refused. */
export const linkBase = (example: string) =>
  v.pipe(
    baseUrl(example),
    v.check((url) => {
      const { hostname, port } = new URL(url);
      return hostname !== '0.0.0.0' && hostname !== '[::]' && port !== '0';
    }, `must be an address that browsers can open, such as ${example}`),
    v.check(
      (url) => /^(?:\/|(?:\/[\w.~-]+)+)$/.test(new URL(url).pathname),
      'may have only letters, digits and - . _ ~ between the slashes of its path',
    ),
  );

export const PAGE = checked(isPageUrl, 'must be a URL such as https://rmm.example.com/incidents');

export const SECRET = v.pipe(
  v.string(),
  v.minLength(32, 'must have at least 32 random characters, for example from: openssl rand -base64 32'),
);

export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

export function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:\/\/[^/]/.test(text) && new URL(text).hostname !== '';
}

/** Queries and fragments are allowed: many products have pages behind a `#`. */
function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Reads `Name <address>`, with or without quotes, or an address alone; else null. */
export function readMailFrom(text: string): Sender | null {
  const named = /^([^<>@\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim());
  const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
  const address = named?.[2] ?? text.trim();
  const isAddress = /^[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+$/u.test(address);
  return isAddress ? { name: name === '' ? null : name, address } : null;
}

export function isAddressOrBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
