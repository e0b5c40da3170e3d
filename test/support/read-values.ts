/** What devices have in a field, whatever the field reads. */
import { assertNever } from '#domain/assert-never.ts';
import type { Device } from '#domain/device/device.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { listReader, readSoftware, rowsReader, valueReader } from '#domain/filter/evaluate/read-field.ts';

/** The values that a device has in the field, without the missing ones. */
export function presentValues(
  field: FilterField,
): (device: Device) => readonly (string | number | boolean)[] {
  const read = valuesReader(field);
  return (device) => read(device).filter((value) => value !== null);
}

function valuesReader(field: FilterField): (device: Device) => readonly (string | number | boolean | null)[] {
  switch (field.reads) {
    case 'value': {
      const read = valueReader(field);
      return (device) => [read(device)];
    }
    case 'rows':
      return rowsReader(field);
    case 'list':
      return listReader(field);
    case 'software':
      return readSoftware;
    default:
      return assertNever(field);
  }
}
