import { words } from '#console/app/words.ts';
import { isGroup } from '#console/pages/explain/flatten-tree.ts';
import { formatDateTime, formatExact } from '#console/parts/display/format.ts';
import { CORE_FIELDS } from '#domain/filter/catalog/core-fields.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import type { ConditionJson, LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { BARE_FIELDS } from '#domain/filter/text/parse/read-term.ts';

const MAX_LEVELS = 4;

export type NameOf = (id: string) => string | undefined;

/** For example `Status is online`, or `(OS Type is windows or OS Type is linux)`. */
export function describeNode(node: NodeJson, nameOf: NameOf, level = 0): string {
  if (!isGroup(node)) return describeLeaf(node, nameOf);
  const bare = bareValue(node);
  if (bare !== null) return bareText(node.operator, bare);
  if (level >= MAX_LEVELS) return '(…)';
  const joint = node.operator === 'AND' ? words.devices.all : words.devices.any;
  const members = node.conditions.map((member) => describeNode(member, nameOf, level + 1));
  return members.length === 1 ? (members[0] ?? '') : `(${members.join(` ${joint} `)})`;
}

export function describeLeaf({ field, operator, value }: LeafJson, nameOf: NameOf): string {
  return [labelOf(field), words.filters.operators[operator], describeValue(value, nameOf)]
    .filter((part) => part !== '')
    .join(' ');
}

/** The word of a bare search such as `chrome`, which the parser expands to a group; null for other groups. */
export function bareValue({ operator, conditions }: ConditionJson): string | null {
  const wanted = bareOperator(operator);
  const [first] = conditions;
  if (first === undefined || isGroup(first) || conditions.length !== BARE_FIELDS.length) return null;
  const isBare = conditions.every(
    (node, i) =>
      !isGroup(node) &&
      node.field === BARE_FIELDS[i] &&
      node.operator === wanted &&
      node.value === first.value,
  );
  return isBare ? String(first.value) : null;
}

export function bareOperator(operator: GroupOperator): 'contains' | 'notContains' {
  return operator === 'OR' ? 'contains' : 'notContains';
}

function bareText(operator: GroupOperator, text: string): string {
  return `${words.devices.anywhere} ${words.filters.operators[bareOperator(operator)]} ${describeValue(text, () => undefined)}`;
}

function labelOf(key: string): string {
  const core: { readonly label: string } | undefined = Object.hasOwn(CORE_FIELDS, key)
    ? CORE_FIELDS[key as keyof typeof CORE_FIELDS]
    : undefined;
  return core?.label ?? key.replace(/^custom\./, '');
}

function describeValue(value: unknown, nameOf: NameOf): string {
  if (value === undefined) return '';
  if (value === '') return '“”';
  if (Array.isArray(value)) {
    return value.length === 0 ? '–' : value.map((one) => describeValue(one, nameOf)).join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    const { from, to, amount, unit } = value as Readonly<Record<string, unknown>>;
    return unit === undefined ? `${String(from)} – ${String(to)}` : `${String(amount)} ${String(unit)}`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return nameOf(String(value)) ?? String(value);
}

/** A device's actual value; empty if it has none. */
export function describeActual(actual: unknown): string {
  if (actual === null || actual === undefined) return '';
  if (Array.isArray(actual)) return actual.map(describeActual).join(', ');
  if (typeof actual === 'boolean') return actual ? 'yes' : 'no';
  if (typeof actual === 'number') return formatExact(actual);
  const text = String(actual);
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? formatDateTime(new Date(text)) : text;
}
