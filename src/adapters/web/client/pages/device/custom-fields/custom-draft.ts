import type { CustomField, Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { fromLocalField, isDay, toLocalField } from '#console/parts/condition/local-dates.ts';
import { checkCustomValue } from '#domain/filter/catalog/custom-field.ts';
import { err, ok, type Result } from '#domain/result.ts';

type CustomValue = Device['custom'][number]['value'];

export function toDraft({ type }: Pick<CustomField, 'type'>, value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return type === 'date' && !isDay(text) ? toLocalField(text) : text;
}

/** Null for an empty field. The error is worded to follow the field's name. */
export function readDraft(
  { type, choices = [] }: Pick<CustomField, 'type' | 'choices'>,
  draft: string,
): Result<CustomValue, string> {
  if (draft.trim() === '') return ok(null);
  const value = parse(type, draft);
  return value === null ? err(words.devicePage.unreadable[type]) : checkCustomValue({ type, choices }, value);
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;

function parse(type: CustomField['type'], draft: string): CustomValue {
  switch (type) {
    case 'number':
      return NUMBER.test(draft.trim()) ? Number(draft) : null;
    case 'boolean':
      return draft === 'true' ? true : draft === 'false' ? false : null;
    case 'date':
      return isDay(draft) ? draft : (fromLocalField(draft) ?? null);
    default:
      return draft;
  }
}
