import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import { fault, type ValueFault } from '#domain/filter/values/parse-value.ts';
import { ok, type Result } from '#domain/result.ts';
import type { Criterion } from './condition.ts';
import { COMPLEMENTS, meaningsOf } from './operator-meanings.ts';
import type { Predicate } from './predicate.ts';

type Understood<T> = Result<T, readonly ValueFault[]>;

/** The criterion, or every fault of the value. The field must allow the operator. */
export function understandCondition(
  field: FilterField,
  operator: Operator,
  value: unknown,
): Understood<Criterion> {
  const predicate = readPredicate(field, operator, value);
  if (!predicate.ok) return predicate;
  const { reads } = field;
  const isComplement = field.key === 'software.notInstalled' && !namesNothing(predicate.value);
  const isNegated = isNegative(operator) !== isComplement;
  return ok({ kind: 'condition', reads, field, predicate: predicate.value, isNegated } as Criterion);
}

function readPredicate(field: FilterField, operator: Operator, value: unknown): Understood<Predicate> {
  const meaning = meaningsOf(field)[isNegative(operator) ? COMPLEMENTS[operator] : operator];
  if (meaning === undefined) throw new Error(`${field.key} does not take ${operator}`);
  if (meaning.takes === null) {
    return value === undefined || value === null
      ? ok(meaning.predicate)
      : fault('value', 'value_not_allowed', `${operator} takes no value. Leave value out.`);
  }
  if (value === undefined) {
    return fault('value', 'value_required', `value is missing. ${operator} takes ${meaning.takes}.`);
  }
  if (value === null) {
    const hint = field.operators.includes('isNull') ? '. To find devices without a value, use isNull.' : '';
    return fault('value', 'invalid_value', `value must be ${meaning.takes}, not null${hint}`);
  }
  return meaning.parse(value);
}

function isNegative(operator: Operator): operator is keyof typeof COMPLEMENTS {
  return operator in COMPLEMENTS;
}

/** An empty list matches nothing, even with software.notInstalled (Contract: §3). */
function namesNothing(predicate: Predicate): boolean {
  return 'values' in predicate && predicate.values.size === 0;
}
