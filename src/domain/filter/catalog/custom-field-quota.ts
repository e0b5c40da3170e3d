/** Limits custom fields per owner, because checking a filter may read them all. */
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import { MAX_CUSTOM_FIELD_BYTES_PER_OWNER, MAX_CUSTOM_FIELDS_PER_OWNER } from '#domain/limits.ts';
import { utf8Length } from '#domain/text/utf8-length.ts';

/** The end of a sentence saying why the owner may not have these fields; null if allowed, or if they shrink. */
export function fieldQuotaExceededBy(
  after: readonly CustomFieldRecord[],
  before: readonly CustomFieldRecord[],
): string | null {
  if (after.length > Math.max(before.length, MAX_CUSTOM_FIELDS_PER_OWNER)) {
    return `an owner defines at most ${grouped(MAX_CUSTOM_FIELDS_PER_OWNER)} custom fields; this one has ${grouped(before.length)}`;
  }
  const [bytesAfter, bytesBefore] = [bytesOf(after), bytesOf(before)];
  if (bytesAfter > Math.max(bytesBefore, MAX_CUSTOM_FIELD_BYTES_PER_OWNER)) {
    return `the keys, names and choices of an owner's custom fields have at most ${grouped(MAX_CUSTOM_FIELD_BYTES_PER_OWNER)} bytes in all; with this they would have ${grouped(bytesAfter)}`;
  }
  return null;
}

function bytesOf(fields: readonly CustomFieldRecord[]): number {
  return fields.reduce(
    (sum, { key, name, choices }) =>
      [key, name, ...choices].reduce((size, text) => size + utf8Length(text), sum),
    0,
  );
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
