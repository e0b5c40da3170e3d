/** What is wrong at one place of a filter, for the person or program that wrote it (Contract: §1). */

/** Stable: clients go by them. */
export const FILTER_FAULT_CODES = [
  'not_a_group',
  'invalid_node',
  'ambiguous_node',
  'unknown_member',
  'invalid_group_operator',
  'empty_group',
  'unknown_field',
  'ambiguous_custom_field',
  'unknown_operator',
  'operator_not_allowed',
  'value_required',
  'value_not_allowed',
  'invalid_value',
  'invalid_pattern',
] as const;
export type FilterFaultCode = (typeof FILTER_FAULT_CODES)[number];

/** One fault of a filter, with its place. */
export interface FilterFault {
  /** From the root, e.g. `conditions.conditions[0].operator`. */
  readonly path: string;
  readonly code: FilterFaultCode;
  /** What was wrong, what is allowed, and what may have been meant. */
  readonly message: string;
}

/** What keeps a tree from being a filter at all, whatever fields there are. */
const FAULTS_OF_SHAPE: ReadonlySet<FilterFaultCode> = new Set<FilterFaultCode>([
  'not_a_group',
  'invalid_node',
  'ambiguous_node',
  'unknown_member',
  'invalid_group_operator',
  'empty_group',
]);

/**
 * The faults for which a load refuses the conditions of a record. One with a version comes from a dump, and was a good
 * filter when it was stored: fields, choices and regular expressions that have gone since are a matter of its preview.
 */
export function faultsForLoad(
  faults: readonly FilterFault[],
  version: number | null,
): readonly FilterFault[] {
  return version === null ? faults : faults.filter(({ code }) => FAULTS_OF_SHAPE.has(code));
}

/** How many levels of a path are written out at either end; those in between are counted. */
const SHOWN_LEVELS = 20;

/** The path of a place: `conditions`, then `.conditions[i]` for each level, then the member. */
export function faultPath(indices: readonly number[], member: string): string {
  const levels = indices.map((index) => `.conditions[${index}]`);
  const shown =
    levels.length <= 2 * SHOWN_LEVELS
      ? levels
      : [
          ...levels.slice(0, SHOWN_LEVELS),
          `…(${levels.length - 2 * SHOWN_LEVELS} levels)…`,
          ...levels.slice(-SHOWN_LEVELS),
        ];
  return `conditions${shown.join('')}${member === '' ? '' : `.${member}`}`;
}

/** The message for a regular expression that cannot be evaluated. */
export function refusedPattern(reason: string): string {
  return `the regular expression is refused: ${reason}`;
}
