/**
 * Filters, previews and fields as JSON text, field by field, so that nothing new is exposed by accident
 * (Spec: Resources and their fields).
 */
import type { Preview } from '#application/filters/evaluate/run-preview.ts';
import type { PreviewDevice } from '#domain/device/preview-device.ts';
import type { CatalogEntry } from '#domain/filter/catalog/field-catalog.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { printInstant, printInstantOrNull } from '#domain/text/print-instant.ts';

/**
 * The eight fields of a saved filter. The tree is inserted as the stored text: it is answered exactly as it was sent,
 * and 30,000 levels cost no more than their length.
 */
export function presentFilter(filter: SavedFilter): string {
  const { id, orgId, name, description, conditionsJson, createdBy } = filter;
  const head = JSON.stringify({ id, orgId, name, description });
  const tail = JSON.stringify({
    createdBy,
    createdAt: printInstant(filter.createdAt),
    updatedAt: printInstant(filter.updatedAt),
  });
  return `${head.slice(0, -1)},"conditions":${conditionsJson},${tail.slice(1)}`;
}

/** `{data, total}`, in one piece for each filter, made when it is asked for: a list can be longer than a string. */
export async function* presentFilters(filters: AsyncIterable<SavedFilter>): AsyncGenerator<string> {
  let total = 0;
  yield '{"data":[';
  for await (const filter of filters) {
    yield total === 0 ? presentFilter(filter) : `,${presentFilter(filter)}`;
    total += 1;
  }
  yield `],"total":${total}}`;
}

/** `{data: {totalCount, devices, evaluatedAt}}`. */
export function presentPreview({ totalCount, devices, evaluatedAt }: Preview): string {
  return JSON.stringify({
    data: { totalCount, devices: devices.map(presentDevice), evaluatedAt: printInstant(evaluatedAt) },
  });
}

/** `{data: [field]}` (Contract: §3). */
export function presentFields(entries: readonly CatalogEntry[]): string {
  return JSON.stringify({ data: entries.map(presentField) });
}

function presentDevice({ id, hostname, displayName, osType, status, lastSeenAt }: PreviewDevice): object {
  return {
    id,
    hostname,
    displayName,
    osType,
    status,
    lastSeenAt: printInstantOrNull(lastSeenAt),
  };
}

function presentField(entry: CatalogEntry): object {
  if (entry.kind === 'ambiguous') {
    return { key: entry.key, label: entry.label, category: 'custom', operators: [], ambiguous: true };
  }
  const { key, label, category, type, operators, values, description } = entry.field;
  return {
    key,
    label,
    category,
    type,
    operators,
    ...(values !== null && { values }),
    ...(description !== null && { description }),
  };
}
