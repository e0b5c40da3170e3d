/** Dates and instants between the API, which has UTC, and the fields of a browser, which have the reader's zone. */

/** Whether the value is a day, not an instant. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** For `<input type="datetime-local">`: to the second, or to the millisecond where it has any; empty where it is none. */
export function toLocalField(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.replace(/(?:\.000)?Z$/, '');
}

/** The instant in UTC; undefined for an empty field. */
export function fromLocalField(text: string): string | undefined {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The day at its beginning, in the reader's zone. */
export function startOfDay(day: string): string | undefined {
  return fromLocalField(`${day}T00:00`);
}

/** The reader's day of an instant. */
export function dayOf(instant: string): string | undefined {
  const field = toLocalField(instant);
  return field === '' ? undefined : field.slice(0, 10);
}
