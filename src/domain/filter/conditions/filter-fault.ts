/** Part of the API; codes never change. */
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

export interface FilterFault {
  /** From the root, such as `conditions.conditions[0].operator`. */
  readonly path: string;
  readonly code: FilterFaultCode;
  /** The fault, the allowed values and a suggestion. */
  readonly message: string;
}

/** These faults make the tree invalid whatever fields exist. */
const FAULTS_OF_SHAPE: ReadonlySet<FilterFaultCode> = new Set<FilterFaultCode>([
  'not_a_group',
  'invalid_node',
  'ambiguous_node',
  'unknown_member',
  'invalid_group_operator',
  'empty_group',
]);

/**
 * The faults for which a load refuses a filter. A record with a `version` comes from a dump and was valid
 * once, so only its shape counts. Only a preview reports other faults, such as deleted fields.
 */
export function faultsForLoad(
  faults: readonly FilterFault[],
  version: number | null,
): readonly FilterFault[] {
  return version === null ? faults : faults.filter(({ code }) => FAULTS_OF_SHAPE.has(code));
}

const SHOWN_LEVELS = 20;

/** `conditions`, then `.conditions[i]` for each level, then the member. */
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

/** The message for a refused regular expression. */
export function refusedPattern(reason: string): string {
  return `The regular expression is refused: ${reason}`;
}
