import { versionKey } from '#domain/filter/values/version-key.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import type { InstalledSoftware } from './device.ts';

/**
 * Returns each title once, with a null version, and each of its versions once. The keys are from `entryKey`.
 * Stores give every entry an id.
 */
export function softwareEntries(
  software: readonly InstalledSoftware[],
): ReadonlyMap<string, InstalledSoftware> {
  const entries = new Map<string, InstalledSoftware>();
  for (const entry of software) {
    const { name, version } = entry;
    entries.set(name, { name, version: null });
    if (version !== null) entries.set(entryKey(entry), entry);
  }
  return entries;
}

/** Stored texts have no NUL, so no title has the key of a version. */
export function entryKey({ name, version }: InstalledSoftware): string {
  return version === null ? name : `${name}\0${version}`;
}

/** Sorted by name, then version, each entry once. An entry has a null version only if its title has no version. */
export function softwareInOrder(software: readonly InstalledSoftware[]): readonly InstalledSoftware[] {
  const entries = softwareEntries(software);
  const withVersions = new Set(
    [...entries.values()].flatMap(({ name, version }) => (version === null ? [] : [name])),
  );
  return [...entries.values()]
    .filter(({ name, version }) => version !== null || !withVersions.has(name))
    .map((entry) => ({ entry, key: entry.version === null ? '' : (versionKey(entry.version) ?? '') }))
    .sort(
      (a, b) =>
        compareCodePoints(a.entry.name, b.entry.name) ||
        compareCodePoints(a.key, b.key) ||
        compareCodePoints(a.entry.version ?? '', b.entry.version ?? ''),
    )
    .map(({ entry }) => entry);
}
