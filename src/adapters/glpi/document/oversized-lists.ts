/**
 * Refuses oversized lists before reading them, because an inventory is held in memory and locked by its MAC
 * addresses.
 */

/** Entries of each stored list; any other list may have `MAX_ENTRIES`. */
const LIMITS: Readonly<Record<string, number>> = { softwares: 20_000, networks: 1_000 };

const MAX_ENTRIES = 20_000;

/** Oversized lists by name and length. */
export function oversizedLists({ content }: { readonly content?: unknown }): readonly string[] {
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, list]) => {
    const limit = LIMITS[name] ?? MAX_ENTRIES;
    if (!Array.isArray(list) || list.length <= limit) return [];
    const [length, most] = [list.length, limit].map((count) => count.toLocaleString('en-US'));
    return [`content.${name} must have at most ${most} entries; it has ${length}`];
  });
}
