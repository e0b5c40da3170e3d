/** What devices have in a field, whatever the field reads. */
import type { Device } from '#domain/device/device.ts';
import { type FilterField, shownField } from '#domain/filter/catalog/field-catalog.ts';
import { valuesReader } from '#domain/filter/evaluate/read-field.ts';
import { hasVersion } from './compare-versions.ts';

/** The values that a device has in the field, without the missing ones. */
export function presentValues(
  field: FilterField,
): (device: Device) => readonly (string | number | boolean)[] {
  const read = valuesReader(field.reads === 'value' ? shownField(field) : field);
  const isMissing = (value: unknown) =>
    value === null || (field.type === 'version' && !hasVersion(String(value)));
  return (device) => read(device).filter((value) => !isMissing(value)) as (string | number | boolean)[];
}
