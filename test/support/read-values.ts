/** Reads the values of a device in a field of any kind. */
import type { Device, InstalledSoftware } from '#domain/device/device.ts';
import { type FilterField, shownField } from '#domain/filter/catalog/field-catalog.ts';
import { valuesReader } from '#domain/filter/evaluate/read-field.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { hasVersion } from './compare-versions.ts';

/** The values of a device in the field, without missing ones. */
export function presentValues(
  field: FilterField,
): (device: Device) => readonly (string | number | boolean)[] {
  if (field.reads === 'versions') return ({ software }) => versionsOf(field.source.folded, software);
  const read = valuesReader(field.reads === 'value' ? shownField(field) : field);
  const isMissing = (value: unknown) =>
    value === null || (field.type === 'version' && !hasVersion(String(value)));
  return (device) => read(device).filter((value) => !isMissing(value)) as (string | number | boolean)[];
}

function versionsOf(title: string, software: readonly InstalledSoftware[]): readonly string[] {
  const versions = software.flatMap(({ name, version }) => (foldCase(name) === title ? [version ?? ''] : []));
  return versions.filter(hasVersion);
}
