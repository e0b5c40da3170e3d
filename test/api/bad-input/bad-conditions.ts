/** Condition trees, and the refusals of bad ones. */

export const GOOD = { field: 'hostname', operator: 'equals', value: 'x' };

/** The path of a group's first condition. */
export const FIRST = 'conditions.conditions[0]';
export const VALUE = `${FIRST}.value`;

export const group = (...conditions: readonly unknown[]) => ({ operator: 'AND', conditions });

export const faults = (...places: readonly (readonly [string, string])[]) => [
  400,
  'validation_failed',
  ...places,
];
