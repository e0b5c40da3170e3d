import { readConditions } from '#console/parts/condition/read-conditions.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { bareValue } from './describe-condition.ts';

export interface PrintedFilter {
  readonly q: string;
  readonly root: ConditionJson;
}

export function membersOf(root: ConditionJson): readonly NodeJson[] {
  return bareValue(root) === null ? root.conditions : [root];
}

/** The error is a sentence for the user. */
export function printMembers(
  operator: GroupOperator,
  members: readonly NodeJson[],
  catalog: FieldCatalog,
): Result<PrintedFilter, string> {
  if (members.length === 0) return ok({ q: '', root: { operator, conditions: [] } });
  const printed = print({ operator, conditions: members }, catalog);
  if (!printed.ok) return printed;
  const root = read(printed.value, catalog);
  return root.ok ? ok({ q: printed.value, root: root.value }) : root;
}

/** The error names the condition that cannot be negated. */
export function negated(member: NodeJson, catalog: FieldCatalog): Result<NodeJson, string> {
  const printed = print({ operator: 'AND', conditions: [member] }, catalog);
  if (!printed.ok) return printed;
  const root = read(`-(${printed.value})`, catalog);
  if (!root.ok) return root;
  const [only, ...others] = membersOf(root.value);
  return ok(only !== undefined && others.length === 0 ? only : root.value);
}

function print(root: ConditionJson, catalog: FieldCatalog): Result<string, string> {
  const conditions = readConditions(root, catalog);
  return conditions.ok ? ok(formatConditions(conditions.value)) : err(sentence(conditions.error));
}

/** Printed text refers to organizations and sites by id, so no names have to be resolved. */
function read(text: string, catalog: FieldCatalog): Result<ConditionJson, string> {
  const parsed = parseFilterText(text, catalog, () => []);
  return parsed.ok ? ok(parsed.value) : err(sentence(parsed.error));
}

function sentence(faults: readonly { readonly message: string }[]): string {
  return [...new Set(faults.map(({ message }) => message))].join(' ');
}
