import { DAY_MS } from '#domain/time.ts';

/** When a key made now ends, as ISO 8601: after the number of days in the text, or null for `never`. */
export function expiryAfter(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
