/** How filter texts name fields: by key, ignoring case, or by alias (Contract: §11). */
import type { CoreFieldKey } from '#domain/filter/catalog/core-fields.ts';
import {
  type CatalogEntry,
  type FieldCatalog,
  type FilterField,
  findEntry,
} from '#domain/filter/catalog/field-catalog.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';
import { keyOfTitle, titleOfKey } from '#domain/filter/catalog/title-versions.ts';
import type { TimeUnit } from '#domain/filter/values/time-span.ts';
import { endOfMatch } from './parse/scan-stretch.ts';

const ALIASES = {
  name: 'displayName',
  host: 'hostname',
  os: 'osType',
  role: 'deviceRole',
  user: 'lastUser',
  agent: 'agentVersion',
  tag: 'tags',
  seen: 'lastSeenAt',
  enrolled: 'enrolledAt',
  uptime: 'uptimeSeconds',
  ip: 'network.ipAddress',
  mac: 'network.macAddress',
  vendor: 'hardware.manufacturer',
  model: 'hardware.model',
  serial: 'hardware.serialNumber',
  cores: 'hardware.cpuCores',
  cpu: 'metrics.cpuPercent',
  ram: 'metrics.ramPercent',
  disk: 'metrics.diskPercent',
  software: 'software.installed',
  reboot: 'system.rebootRequired',
  org: 'orgId',
  site: 'siteId',
} as const satisfies Record<string, CoreFieldKey>;

export type FindKey = (written: string) => CatalogEntry | undefined;

/** An exact key takes precedence over a key in another case, and both over an alias. */
export function makeKeyFinder(catalog: FieldCatalog): FindKey {
  const byLowerCase = new Map<string, CatalogEntry | null>();
  for (const [key, entry] of catalog) {
    const lower = key.toLowerCase();
    byLowerCase.set(lower, byLowerCase.has(lower) ? null : entry);
  }
  return (written) => {
    const title = readTitleKey(written);
    if (title !== null) return findEntry(catalog, title);
    const lower = written.toLowerCase();
    return catalog.get(written) ?? byLowerCase.get(lower) ?? catalog.get(ALIASED.get(lower) ?? '');
  };
}

export function* writableKeys(catalog: FieldCatalog): Iterable<string> {
  yield* catalog.keys();
  for (const [alias, key] of ALIASED) if (catalog.has(key)) yield alias;
}

/** The alias if there is one, except that `tags` stays `tags`. */
export function printKey(key: string): string {
  const title = titleOfKey(key);
  if (title === null) return PRINTED.get(key) ?? key;
  return keyOfTitle(NEEDS_QUOTES.test(title.name) ? quote(title.name) : title.name);
}

const NEEDS_QUOTES = /[\]":]/;

export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A key is a word, or versions of a title, such as `software[Google Chrome].version`. */
export function endOfKey(text: string, start: number, word = /[^\s()":]*/y): number {
  return Math.max(endOfMatch(TITLE_KEY, text, start), endOfMatch(word, text, start));
}

/** Name lengths are bounded, so a long text takes linear time. */
const TITLE_KEY = /software\[(?:"(?:[^"\\]|\\.){1,2048}"|[^\]":]{1,2048})\]\.version(?=[:<>=])/isy;

/** The beginning of a title's name at the end of the text: `chr` for `software[chr`. Else null. */
export function beginningOfTitle(text: string, start: number): string | null {
  BEGUN_TITLE.lastIndex = start;
  const [, typed] = BEGUN_TITLE.exec(text) ?? [];
  return typed?.replace(/^"/, '').replace(/\\(["\\])/g, '$1') ?? null;
}

const BEGUN_TITLE = /software\[((?:"(?:[^"\\]|\\.){0,2048}"?|[^\]":]{0,2048}))$/isy;

/** Finds a key that lacks its `]` and ends at `end`, such as `software[Chrome.version`. Else null. */
export function unclosedTitle(
  text: string,
  end: number,
): { readonly start: number; readonly name: string } | null {
  const from = Math.max(0, end - LONGEST_TITLE_KEY);
  const match = UNCLOSED_TITLE.exec(text.slice(from, end));
  return match?.[1] === undefined ? null : { start: from + match.index, name: match[1] };
}

const LONGEST_TITLE_KEY = 'software['.length + 2048 + '.version'.length;
const UNCLOSED_TITLE = /(?<![^\s(-])software\[([^\]":]+)\.version$/i;

function readTitleKey(written: string): string | null {
  const [, inner] = /^software\[(.+)\]\.version$/is.exec(written) ?? [];
  if (inner === undefined) return null;
  return keyOfTitle(/^".*"$/s.test(inner) ? unquote(inner) : inner);
}

export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

export function aliasesOf(key: string): readonly string[] {
  return Object.entries(ALIASES).flatMap(([alias, aliased]) => (aliased === key ? [alias] : []));
}

const ALIASED: ReadonlyMap<string, string> = new Map(Object.entries(ALIASES));

const PRINTED: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([alias, key]) => (key === 'tags' ? [] : [[key, alias] as const])),
);

export type Sign = '=' | '>' | '>=' | '<' | '<=';

/** How values may be written (Contract: §11). */
export interface ValueStyle {
  readonly signs: readonly Sign[];
  readonly hasPatterns: boolean;
  /** `operator`: `v*` and `*v` have a meaning. `literal`: `*` is an ordinary character. */
  readonly stars: 'operator' | 'refused' | 'literal';
  readonly hasBrackets: boolean;
  /** Where commas separate values. */
  readonly splits: 'never' | 'afterEquals' | 'always';
}

const NOTHING: ValueStyle = {
  signs: [],
  hasPatterns: false,
  stars: 'literal',
  hasBrackets: false,
  splits: 'never',
};

const COMPARED: ValueStyle = { ...NOTHING, signs: ['>', '>=', '<', '<='] };
const CHOSEN: ValueStyle = { ...NOTHING, splits: 'always' };

const STYLES: Readonly<Record<FieldType, ValueStyle>> = {
  string: { ...NOTHING, signs: ['='], hasPatterns: true, stars: 'operator', splits: 'afterEquals' },
  enum: CHOSEN,
  boolean: CHOSEN,
  number: COMPARED,
  version: { ...COMPARED, signs: ['=', ...COMPARED.signs], splits: 'afterEquals' },
  datetime: COMPARED,
  array: { ...CHOSEN, hasBrackets: true },
};

const BARE: ValueStyle = { ...NOTHING, stars: 'refused' };

/** Ids are compared as a whole. */
const ID: ValueStyle = { ...NOTHING, signs: ['='], splits: 'afterEquals' };

export function styleOf(field: FilterField | null): ValueStyle {
  if (field === null) return BARE;
  if (field.isUuid) return ID;
  const style = STYLES[field.type];
  return field.operators.includes('hasAll') ? { ...style, hasBrackets: true } : style;
}

// Spans of time: `90min`, `12h`, `7d`, `2w`, `3mo` (Contract: §11).

export const UNIT_SUFFIXES = {
  minutes: 'min',
  hours: 'h',
  days: 'd',
  weeks: 'w',
  months: 'mo',
} as const satisfies Record<TimeUnit, string>;

const UNITS: ReadonlyMap<string, TimeUnit> = new Map(
  (Object.entries(UNIT_SUFFIXES) as [TimeUnit, string][]).map(([unit, suffix]) => [suffix, unit]),
);

export function unitOf(suffix: string): TimeUnit | null {
  return UNITS.get(suffix) ?? null;
}
