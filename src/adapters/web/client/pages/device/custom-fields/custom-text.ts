import { words } from '#console/app/words.ts';
import { isDay } from '#console/parts/condition/local-dates.ts';
import { formatDate, formatDateTime, formatNumber } from '#console/parts/display/format.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';

/** A custom value as people read it; null if it has no value. A day is a day in every zone. */
export function customText(type: CustomFieldType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? words.devicePage.yes : words.devicePage.no;
  if (typeof value === 'number') return formatNumber(value);
  const text = String(value);
  if (type !== 'date') return text;
  return isDay(text) ? formatDate(new Date(`${text}T00:00`)) : formatDateTime(new Date(text));
}
