/** The faults that a filter has, short enough to be compared. */
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { newId } from '#test/support/builders.ts';

export const ORG_ID = newId<'organization'>();

/** The core fields, a dropdown, and a key that two organizations give two types. */
const CATALOG = buildCatalog(
  resolveCustomFields([
    {
      key: 'ring',
      label: 'Ring',
      type: 'dropdown',
      choices: ['alpha', 'beta'],
      owner: 'organization',
      orgIds: [ORG_ID],
    },
    { key: 'seats', label: 'Seats', type: 'number', choices: [], owner: 'organization', orgIds: [ORG_ID] },
    { key: 'seats', label: 'Seats', type: 'text', choices: [], owner: 'organization', orgIds: [newId()] },
  ]),
);

/** Path and code of each fault, or none. */
export function faultsOf(input: unknown): readonly (readonly [string, FilterFaultCode])[] {
  const parsed = parseConditions(input, CATALOG);
  return parsed.ok ? [] : parsed.error.map(({ path, code }) => [path, code]);
}

/** The faults of one condition in a group, by the member they are about. */
export function conditionFaults(condition: unknown): readonly (readonly [string, FilterFaultCode])[] {
  return faultsOf({ operator: 'AND', conditions: [condition] }).map(([path, code]) => [
    path.replace('conditions.conditions[0]', ''),
    code,
  ]);
}

/** The message of the first fault of a condition; empty if it has none. */
export function messageOf(condition: unknown): string {
  const parsed = parseConditions({ operator: 'AND', conditions: [condition] }, CATALOG);
  return parsed.ok ? '' : (parsed.error[0]?.message ?? '');
}
