/** In a partner-wide filter, a custom field reads as NULL where an organization does not define it (Contract: §18). */
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';
import { isObject } from '#domain/text/json-text.ts';
import { isFieldKey } from './custom-field.ts';
import { type FieldCatalog, toCustomEntry } from './field-catalog.ts';

const PREFIX = 'custom.';

/**
 * Adds the custom fields that the conditions name and the catalog lacks. No device has a value for them. Their types
 * come from the conditions, because callers must not learn the definitions of other organizations.
 */
export function withUndefinedFields(catalog: FieldCatalog, conditions: unknown): FieldCatalog {
  const types = new Map<string, CustomFieldType>();
  const open: unknown[] = [conditions];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node)) continue;
    if (Array.isArray(node.conditions)) for (const element of node.conditions) open.push(element);
    const { field, operator, value } = node;
    if (typeof field !== 'string' || !field.startsWith(PREFIX) || catalog.has(field)) continue;
    const key = field.slice(PREFIX.length);
    const known = types.get(key) ?? 'text';
    if (isFieldKey(key)) types.set(key, known === 'text' ? typeOf(operator, value) : known);
  }
  if (types.size === 0) return catalog;
  const added = [...types].map(([key, type]) => {
    const field = { key, label: key, type, variants: [] };
    return [`${PREFIX}${key}`, toCustomEntry({ kind: 'defined', field })] as const;
  });
  return new Map([...catalog, ...added]);
}

/**
 * The type that the operator and the value suggest. A wrong guess changes no answer, because no device has a value of
 * an undefined field. A dropdown is read as text, which accepts all of its operators and values.
 */
function typeOf(operator: unknown, value: unknown): CustomFieldType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  switch (operator) {
    case 'before':
    case 'after':
    case 'withinLast':
    case 'notWithinLast':
      return 'date';
    case 'between':
      return isObject(value) && typeof value.from === 'number' ? 'number' : 'date';
    default:
      return 'text';
  }
}
