/** Changes to a custom field's definition. Key, type and owner are fixed, because stored values depend on them. */
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';

/** Absent members stay unchanged. */
export interface CustomFieldChange {
  readonly name?: string;
  readonly choices?: readonly string[];
}

export interface CustomFieldRevision {
  readonly field: CustomFieldRecord;
  /** Names of the changed members; empty if nothing changed. */
  readonly changed: readonly (keyof CustomFieldChange)[];
}

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
