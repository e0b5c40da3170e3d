/** The names that fields go by in a filter text: their keys in any case, and short aliases (Contract: §11). */
import type { CoreFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { CatalogEntry, FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';

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
