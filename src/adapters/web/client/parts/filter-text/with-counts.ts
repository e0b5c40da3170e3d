import { words } from '#console/app/words.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { CompletionItem } from '#domain/filter/text/complete/completion-items.ts';
import type { FleetSummary } from '#domain/fleet/fleet-summary.ts';

/** Fields whose values the summary counts. */
const COUNTED: ReadonlyMap<string, 'byStatus' | 'byOsType' | 'byRole'> = new Map([
  ['status', 'byStatus'],
  ['osType', 'byOsType'],
  ['deviceRole', 'byRole'],
]);

export function isCountedBySummary(field: FilterField | null): boolean {
  return field !== null && COUNTED.has(field.key);
}

/** The count covers all organizations, so a page narrowed to one drops it. */
export function uncounted(value: CompletionItem): CompletionItem {
  return { ...value, description: null };
}

export function withCounts(
  items: readonly CompletionItem[],
  field: FilterField | null,
  summary: FleetSummary | undefined,
): readonly CompletionItem[] {
  const by = COUNTED.get(field?.key ?? '');
  if (by === undefined || summary === undefined) return items;
  const counts = new Map(Object.entries(summary.devices[by]));
  return items.map((item) => {
    const count = counts.get(item.label);
    return count === undefined ? item : { ...item, description: words.devices.count(count) };
  });
}
