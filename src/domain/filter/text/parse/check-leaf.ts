/** Refuses the same values as `parseConditions`, with messages in the syntax of the filter text (Contract: §11). */
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions, type RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import { quoteWhereNeeded } from '#domain/filter/text/print/print-condition.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import { printKey } from '#domain/filter/text/text-keys.ts';
import { describe, listValues } from '#domain/filter/values/parse-scalar.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import type { PlacedLeaf } from './term.ts';

export interface LeafRules {
  readonly catalog: FieldCatalog;
  readonly refusePattern: RefusePattern;
}

/** `field` is null for values without a key. */
export function checkLeaf(
  text: string,
  { leaf, placeOf }: PlacedLeaf,
  field: FilterField | null,
  { catalog, refusePattern }: LeafRules,
): readonly TextFault[] {
  const parsed = parseConditions({ operator: 'AND', conditions: [leaf] }, catalog, refusePattern);
  if (parsed.ok) return [];
  return parsed.error.map(({ path, code, message }) => {
    const { start, end } = placeOf(path.slice('conditions.conditions[0].'.length));
    const word = text.slice(start, end).replace(/^"|"$/g, '');
    if (code !== 'invalid_value' || field === null || word === '') {
      return { start, end, code, message, suggestions: [] };
    }
    const near = nearestValue(field, word);
    return {
      start,
      end,
      code,
      message: sayRefusal(field, word.replace(/^(?:[<>]=?|=)/, ''), near) ?? message,
      suggestions: near === null ? [] : [quoteWhereNeeded(near, 'element')],
    };
  });
}

function nearestValue(field: FilterField, word: string): string | null {
  const known = field.type === 'boolean' ? [...BOOLEAN_WORDS.keys()] : (field.values ?? []);
  // The beginning of a word counts as near, however short: `ye` means `yes`.
  return nearestWord(word, known) ?? known.find((value) => value.startsWith(word)) ?? null;
}

export const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

/** A message in the syntax of the filter text; null if the message for JSON is good enough. */
function sayRefusal(field: FilterField, word: string, near: string | null): string | null {
  const written = describe(word);
  const key = printKey(field.key);
  const meant = near === null ? null : `Did you mean ${near}?`;
  switch (field.type) {
    case 'enum': {
      if (field.values?.includes(word) !== false) return null;
      return `No ${inSentence(field.label)} ${written}. ${meant ?? `Use ${listValues(field.values)}.`}`;
    }
    case 'boolean':
      return `${written} is not yes or no. ${meant ?? `Example: ${key}:yes`}`;
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(word) ? null : `${written} is not a number. Example: ${key}:>90`;
    case 'version':
      return versionKey(word) === null ? `${written} is not a version. Example: ${key}:>=1.10` : null;
    case 'datetime':
      if (parseIsoInstant(word) !== null || missingDay(word) !== null) return null;
      return `${written} is not a date. Example: ${key}:>=2026-02-10`;
    default:
      return null;
  }
}

/** `Watchdog Status` becomes `watchdog status`, `OS Type` becomes `OS type`. */
function inSentence(label: string): string {
  return label.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase());
}
