import { words } from '#console/app/words.ts';
import { type FieldCatalog, findEntry } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { FilterFault } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { err, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

export interface PathFault {
  readonly path: string;
  readonly message: string;
}

/** Like `parseConditions`, but rewords faults of typed values, because the domain's messages speak of JSON. */
export function readConditions(
  json: unknown,
  catalog: FieldCatalog,
): Result<ConditionGroup, readonly PathFault[]> {
  const parsed = parseConditions(json, catalog);
  if (parsed.ok) return parsed;
  return err(parsed.error.map((fault) => ({ ...fault, message: wordsFor(fault, json, catalog) })));
}

function wordsFor({ path, code, message }: FilterFault, json: unknown, catalog: FieldCatalog): string {
  const said = words.filters.faults;
  const value = valueAt(json, path);
  if (code === 'unknown_field' && typeof value === 'string') {
    return words.filters.fieldGone(value, nearestWord(value, catalog.keys()));
  }
  if (code === 'value_required') return said.valueMissing;
  if (code !== 'invalid_value') return message;
  const [conditionPath = '', member = ''] = path.split('.value');
  if (member === '.amount' && typeof value === 'number') return value > 0 ? said.wholeMonths : said.noAmount;
  const condition = valueAt(json, conditionPath) as { readonly field?: unknown; readonly operator?: unknown };
  const entry = findEntry(catalog, String(condition?.field));
  if (entry?.kind !== 'field') return message;
  const { type, values } = entry.field;
  if (type === 'number' && typeof value === 'number') return said.tooLarge;
  const isReversed = condition.operator === 'between' && typeof value === 'object' && value !== null;
  if (member === '' && isReversed && !Array.isArray(value)) return said.reversed;
  if (typeof value !== 'string' || (condition.operator === 'between' && member === '')) return message;
  if (values !== null) return said.notAChoice(value, values);
  if (type === 'datetime') return said.notADate(value);
  return type === 'number' && !/^-?\d+(?:\.\d+)?$/.test(value) ? said.notANumber(value) : message;
}

/** Undefined if the path is abbreviated, as it is in very deep trees. */
function valueAt(json: unknown, path: string): unknown {
  const [, ...names] = path.match(/[^.[\]]+/g) ?? [];
  return names.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    json,
  );
}
