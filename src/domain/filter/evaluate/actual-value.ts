/** The device's value for a condition, as explanations show it (Contract: §12). */
import type { Device } from '#domain/device/device.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { listReader, readSoftware, rowsReader, type Value, valueReader } from './read-field.ts';

/**
 * Null if missing. Instants are epoch milliseconds, elapsed days exact fractions. Rows give their values in order, or
 * null if no row has one; software gives each name once in code point order. Lists are cut at 100.
 */
export type ActualValue = Value | readonly string[];

/** Contract: §12. */
export const MAX_ACTUAL_VALUES = 100;

/** The device's value at the instant `at` (Contract: §12). */
export function readActual(field: FilterField, device: Device, at: EpochMs): ActualValue {
  switch (field.reads) {
    case 'value':
      return toActual(field, valueReader(field)(device), at);
    case 'rows': {
      const present = rowsReader(field)(device).filter((value) => typeof value === 'string');
      return present.length === 0 ? null : present.slice(0, MAX_ACTUAL_VALUES);
    }
    case 'list':
      return listReader(field)(device).slice(0, MAX_ACTUAL_VALUES);
    case 'software':
      return [...new Set(readSoftware(device))].sort(compareCodePoints).slice(0, MAX_ACTUAL_VALUES);
  }
}

/** Computed fields are held as the instant that they count from. */
export function toActual(field: FilterField, held: ActualValue, at: EpochMs): ActualValue {
  return field.category === 'computed' && typeof held === 'number' ? (at - held) / DAY_MS : held;
}
