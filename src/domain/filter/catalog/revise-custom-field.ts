/** Changes to the definition of a custom field. Its key, type and owner stay: values are stored under them. */
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';

/** What can be changed; what is absent stays. */
export interface CustomFieldChange {
  readonly name?: string;
  readonly choices?: readonly string[];
}

export interface CustomFieldRevision {
  readonly field: CustomFieldRecord;
  /** The names of what differs; none if the definition is as it was. */
  readonly changed: readonly (keyof CustomFieldChange)[];
}

/** The definition with the change applied. */
export function reviseCustomField(field: CustomFieldRecord, change: CustomFieldChange): CustomFieldRevision {
  const next = { name: change.name ?? field.name, choices: change.choices ?? field.choices };
  const changed: (keyof CustomFieldChange)[] = [];
  if (next.name !== field.name) changed.push('name');
  if (!isSameList(next.choices, field.choices)) changed.push('choices');
  return { field: { ...field, ...next }, changed };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
