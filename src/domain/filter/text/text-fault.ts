/** What is wrong at one place in a filter text, and what may have been meant (Contract: §11). */

import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { describe, listValues } from '#domain/filter/values/parse-scalar.ts';
import { missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { quote } from './print/print-condition.ts';
import { printKey } from './text-keys.ts';

/** Faults of the text alone; values that a field refuses keep the codes that they have in JSON. */
export type TextFaultCode =
  | FilterFaultCode
  | 'empty'
  | 'missing_term'
  | 'unexpected_character'
  | 'unclosed_quote'
  | 'unclosed_pattern'
  | 'unclosed_group'
  | 'not_negatable'
  | 'too_many_conditions';

/** A stretch of the text in UTF-16 code units; `end` is excluded. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One fault of a filter text, with its place (Contract: §11). */
export interface TextFault extends Place {
  readonly code: TextFaultCode;
  /** What is wrong and what is allowed. */
  readonly message: string;
  /** Texts that could stand at this place instead, best first; often none. */
  readonly suggestions: readonly string[];
}

/** Records a fault. */
export type ReportFault = (
  place: Place,
  code: TextFaultCode,
  message: string,
  suggestions?: readonly string[],
) => void;

// Faults of values that say how the value is written instead.

/** A `*` at both ends, a `*` with nothing beside it, or one in a value without a key. */
export type StarFault = 'both' | 'alone' | 'bare';

const STAR_MESSAGES: Readonly<Record<StarFault, string>> = {
  both: '"*" can stand at one end only; without "*" the text may be anywhere in the value',
  alone: '"*" needs a text next to it; use any to ask for any value',
  bare: 'a value without a key is found anywhere in a name and takes no "*"; leave it out, name a field as in host:web*, or quote the text',
};

/** Reports a star in the middle of a value. */
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

/** Reports a missing value. */
export function reportMissing(place: Place, isInList: boolean, report: ReportFault): void {
  const what = isInList ? 'a value is missing in the list' : 'the value is missing';
  report(place, 'value_required', `${what}; write "" for the empty text`);
}

/** Reports a group in place of a value. */
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
