/** What a device has at a condition, in words. */
import { words } from '#console/app/words.ts';
import { formatDateTime, formatNumber } from '#console/parts/display/format.ts';

/** Values of a list that are said; the rest is counted. */
const SAID = 5;

export function textOfActual(actual: unknown): string {
  if (actual === null || actual === undefined) return words.filters.hasNothing;
  if (Array.isArray(actual)) {
    if (actual.length === 0) return words.filters.hasNothing;
    const rest = actual.length > SAID ? ` +${formatNumber(actual.length - SAID)}` : '';
    return words.filters.has(actual.slice(0, SAID).map(one).join(', ') + rest);
  }
  return words.filters.has(one(actual));
}

function one(value: unknown): string {
  if (typeof value === 'boolean') return value ? words.filters.yes : words.filters.no;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) {
    return formatDateTime(new Date(value));
  }
  return String(value);
}
