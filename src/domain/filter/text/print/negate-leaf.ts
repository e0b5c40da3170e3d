/** The opposite of a condition: exactly the devices that it does not match (Contract: §4, §11). */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import { COMPLEMENTS } from '#domain/filter/conditions/operator-meanings.ts';
import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';

/** `leaves` must not be empty. */
export function anyOf(leaves: readonly NodeJson[]): NodeJson {
  return combine('OR', leaves);
}

/** Null if a leaf has no opposite. `leaves` must not be empty. */
export function negateLeaves(field: FilterField, leaves: readonly LeafJson[]): NodeJson | null {
  const opposites = leaves.map((leaf) => negateLeaf(field, leaf)).filter((node) => node !== null);
  return opposites.length < leaves.length ? null : combine('AND', opposites);
}

/**
 * Uses the complementary operator if the field has it. Otherwise tags negate through `tags.name`, and software through
 * `software.notInstalled`. Null if there is no opposite.
 */
export function negateLeaf(field: FilterField, leaf: LeafJson): NodeJson | null {
  const complement = COMPLEMENT_OF.get(leaf.operator);
  if (complement !== undefined && field.operators.includes(complement))
    return { ...leaf, operator: complement };
  switch (field.key) {
    case 'tags':
      return negateTags(leaf);
    case 'software.installed':
      return negateRows(leaf, 'software.notInstalled');
    case 'software.notInstalled':
      return negateRows(leaf, 'software.installed');
    default:
      return null;
  }
}

export const EVERYTHING: LeafJson = { field: 'hostname', operator: 'notIn', value: [] };

export const NOTHING: LeafJson = { field: 'hostname', operator: 'in', value: [] };

const COMPLEMENT_OF: ReadonlyMap<Operator, Operator> = new Map(
  (Object.entries(COMPLEMENTS) as [Operator, Operator][]).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

function negateTags({ operator, value }: LeafJson): NodeJson {
  const none = (tag: unknown): LeafJson => ({ field: 'tags.name', operator: 'notEquals', value: tag });
  if (operator === 'contains') return none(value);
  const tags = value as readonly string[];
  if (operator === 'hasAny') return { field: 'tags.name', operator: 'notIn', value: tags };
  return tags.length === 0 ? { field: 'tags.name', operator: 'in', value: [] } : anyOf(tags.map(none));
}

/**
 * `software.installed` and `software.notInstalled` are opposites, except with an empty list, with which both match
 * nothing.
 */
function negateRows({ operator, value }: LeafJson, opposite: string): NodeJson {
  if (operator === 'hasAll') {
    const names = value as readonly string[];
    if (names.length === 0) return { field: opposite, operator: 'in', value: [] };
    return anyOf(names.map((name) => ({ field: opposite, operator: 'equals', value: name })));
  }
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return isEmptyList ? EVERYTHING : { field: opposite, operator, value };
}

export function combine(operator: GroupOperator, nodes: readonly NodeJson[]): NodeJson {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { operator, conditions: nodes };
}
