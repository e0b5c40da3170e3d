/** The names that fields go by in a filter text: their keys in any case, and short aliases (Contract: §11). */
import type { CoreFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { CatalogEntry, FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';
import type { TimeUnit } from '#domain/filter/values/time-span.ts';

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

/** Finds the entry that a written key means; undefined where none does. */
export type FindKey = (written: string) => CatalogEntry | undefined;

/** An exact key comes before one in another case, and that before an alias (in any case). */
export function makeKeyFinder(catalog: FieldCatalog): FindKey {
  const byLowerCase = new Map<string, CatalogEntry | null>();
  for (const [key, entry] of catalog) {
    const lower = key.toLowerCase();
    byLowerCase.set(lower, byLowerCase.has(lower) ? null : entry);
  }
  return (written) => {
    const lower = written.toLowerCase();
    return catalog.get(written) ?? byLowerCase.get(lower) ?? catalog.get(ALIASED.get(lower) ?? '');
  };
}

/** Every name that a field can be written by, for suggestions. */
export function* writableKeys(catalog: FieldCatalog): Iterable<string> {
  yield* catalog.keys();
  for (const [alias, key] of ALIASED) if (catalog.has(key)) yield alias;
}

/** The name that a field is printed by: its alias if it has one, except that `tags` stays `tags`. */
export function printKey(key: string): string {
  return PRINTED.get(key) ?? key;
}

/** The aliases of a field. */
export function aliasesOf(key: string): readonly string[] {
  return Object.entries(ALIASES).flatMap(([alias, aliased]) => (aliased === key ? [alias] : []));
}

const ALIASED: ReadonlyMap<string, string> = new Map(Object.entries(ALIASES));

const PRINTED: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([alias, key]) => (key === 'tags' ? [] : [[key, alias] as const])),
);

// What the value of a field can be written with in a filter text, by the field's type (Contract: §11).

export type Sign = '=' | '>' | '>=' | '<' | '<=';

/** How a value is written; a bare value (no key) has a style of its own. */
export interface ValueStyle {
  readonly signs: readonly Sign[];
  /** `/re/`. */
  readonly hasPatterns: boolean;
  /** `v*` and `*v`; a bare value refuses them, and elsewhere `*` is a character like any other. */
  readonly stars: 'operator' | 'refused' | 'literal';
  /** `[a,b]`. */
  readonly hasBrackets: boolean;
  /** Whether commas separate values: never, after `=`, or always. */
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
  datetime: COMPARED,
  array: { ...CHOSEN, hasBrackets: true },
};

const BARE: ValueStyle = { ...NOTHING, stars: 'refused' };

/** Ids and names are whole: nothing looks into them. */
const ID: ValueStyle = { ...NOTHING, signs: ['='], splits: 'afterEquals' };

/** The style of a field, or of a bare value. */
export function styleOf(field: FilterField | null): ValueStyle {
  if (field === null) return BARE;
  if (field.isUuid) return ID;
  const style = STYLES[field.type];
  return field.operators.includes('hasAll') ? { ...style, hasBrackets: true } : style;
}

// How spans of time are written in a filter text: `90min`, `12h`, `7d`, `2w`, `3mo` (Contract: §11).

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

/** The unit of a suffix, or null where there is no such suffix. */
export function unitOf(suffix: string): TimeUnit | null {
  return UNITS.get(suffix) ?? null;
}
