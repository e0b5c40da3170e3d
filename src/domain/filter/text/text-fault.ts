/** What is wrong at one place in a filter text, and what may have been meant (Contract: §11). */

import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { quote } from './print/print-condition.ts';

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
  both: 'Use "*" at one end only. Without "*", the text may be anywhere in the value.',
  alone: '"*" needs text next to it. To match any value, use any.',
  bare: 'A value without a key is found anywhere in a name, so it takes no "*". Leave "*" out, name a field as in host:web*, or quote the text.',
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
  const what = isInList ? 'A value is missing in the list' : 'The value is missing';
  report(place, 'value_required', `${what}. For empty text, write "".`);
}

/** Reports a group in place of a value. */
export function reportGroupAsValue(place: Place, report: ReportFault): void {
  const message =
    'A value cannot be a group. Put the key inside the parentheses. Example: (os:windows OR os:linux)';
  report(place, 'unexpected_character', message);
}
