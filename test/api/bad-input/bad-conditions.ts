/** Trees of conditions, and what is answered to bad ones. */

export const GOOD = { field: 'hostname', operator: 'equals', value: 'x' };

/** The first condition of a group. */
export const FIRST = 'conditions.conditions[0]';
export const VALUE = `${FIRST}.value`;

export const group = (...conditions: readonly unknown[]) => ({ operator: 'AND', conditions });

export const faults = (...places: readonly (readonly [string, string])[]) => [
  400,
  'validation_failed',
  ...places,
];
