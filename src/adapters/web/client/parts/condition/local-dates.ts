/** Converts between UTC, as in the API, and the reader's time zone, as in form fields. Invalid text gives undefined. */

export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** Empty if invalid. */
export function toLocalField(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.replace(/(?:\.000)?Z$/, '');
}

export function fromLocalField(text: string): string | undefined {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function startOfDay(day: string): string | undefined {
  return fromLocalField(`${day}T00:00`);
}

export function dayOf(instant: string): string | undefined {
  const field = toLocalField(instant);
  return field === '' ? undefined : field.slice(0, 10);
}
