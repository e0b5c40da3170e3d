/** What is wrong at one place in a filter text, and what may have been meant (Contract: §11). */
import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';

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
