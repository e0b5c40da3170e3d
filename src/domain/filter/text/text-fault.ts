import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { quote } from './text-keys.ts';

/** Refused values have the same codes as in JSON. */
export type TextFaultCode =
  | FilterFaultCode
  | 'empty'
  | 'missing_colon'
  | 'missing_term'
  | 'unexpected_character'
  | 'unclosed_quote'
  | 'unclosed_pattern'
  | 'unclosed_group'
  | 'not_negatable'
  | 'too_many_conditions';

/** In UTF-16 code units; `end` is excluded. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A fault and its place in the text (Contract: §11). */
export interface TextFault extends Place {
  readonly code: TextFaultCode;
  readonly message: string;
  /** Replacements for this place, best first; often none. */
  readonly suggestions: readonly string[];
}

export type ReportFault = (
  place: Place,
  code: TextFaultCode,
  message: string,
  suggestions?: readonly string[],
) => void;

/** Where a `*` is wrong: at both ends, alone, or in a value without a key. */
export type StarFault = 'both' | 'alone' | 'bare';

const STAR_MESSAGES: Readonly<Record<StarFault, string>> = {
  both: 'Use "*" at one end only. Without "*", the text may be anywhere in the value.',
  alone: '"*" needs text next to it. To match any value, use any.',
  bare: 'A value without a key is found anywhere in a name, so it takes no "*". Leave "*" out, name a field as in host:web*, or quote the text.',
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
