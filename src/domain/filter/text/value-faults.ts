/** Faults of values that say how the value is written instead. */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { describe, listValues } from '#domain/filter/values/parse-scalar.ts';
import { missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { quote } from './print/quote-text.ts';
import type { Place, ReportFault } from './text-fault.ts';
import { printKey } from './text-keys.ts';

/** A `*` at both ends, a `*` with nothing beside it, or one in a value without a key. */
export type StarFault = 'both' | 'alone' | 'bare';

const STAR_MESSAGES: Readonly<Record<StarFault, string>> = {
  both: '"*" can stand at one end only; without "*" the text may be anywhere in the value',
  alone: '"*" needs a text next to it; use any to ask for any value',
  bare: 'a value without a key is found anywhere in a name and takes no "*"; leave it out, name a field as in host:web*, or quote the text',
};

export function reportStars(place: Place, written: string, why: StarFault, report: ReportFault): void {
  const inner = written.replace(/^\*|\*$/g, '');
  const suggestions = { both: [inner], alone: ['any'], bare: [inner, `host:${written}`, quote(written)] }[
    why
  ];
  report(
    place,
    'invalid_value',
    STAR_MESSAGES[why],
    suggestions.filter((text) => text !== ''),
  );
}

export function reportMissing(place: Place, isInList: boolean, report: ReportFault): void {
  const what = isInList ? 'a value is missing in the list' : 'the value is missing';
  report(place, 'value_required', `${what}; write "" for the empty text`);
}

export function reportGroupAsValue(place: Place, report: ReportFault): void {
  const message = 'a value cannot be a group; put the key inside the parentheses: (os:windows OR os:linux)';
  report(place, 'unexpected_character', message);
}

/**
 * Why a field does not take a word, in the terms of filter text. `suggestion` is what the word was probably meant to
 * be. Null where the words of the condition say it best.
 */
export function sayRefusal(field: FilterField, word: string, suggestion: string | undefined): string | null {
  const written = describe(word);
  const key = printKey(field.key);
  const meant = suggestion === undefined ? null : `Did you mean ${suggestion}?`;
  switch (field.type) {
    case 'enum': {
      if (field.values?.includes(word) !== false) return null;
      return `No ${inSentence(field.label)} ${written}. ${meant ?? `Use ${listValues(field.values)}.`}`;
    }
    case 'boolean':
      return `${written} is not yes or no. ${meant ?? `Example: ${key}:yes`}`;
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(word) ? null : `${written} is not a number. Example: ${key}:>90`;
    case 'datetime':
      if (parseIsoInstant(word) !== null || missingDay(word) !== null) return null;
      return `${written} is not a date. Example: ${key}:>=2026-02-10`;
    default:
      return null;
  }
}

/** A label within a sentence: `Watchdog Status` becomes `watchdog status`, `OS Type` becomes `OS type`. */
function inSentence(label: string): string {
  return label.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase());
}
