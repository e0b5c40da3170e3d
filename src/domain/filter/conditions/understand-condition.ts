/** From field, operator and value to a criterion (Contract: §4). */
import { assertNever } from '#domain/assert-never.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { COMPLEMENTS, type Operator } from '#domain/filter/catalog/operator.ts';
import { fault, type ValueFault } from '#domain/filter/values/parse-value.ts';
import { ok, type Result } from '#domain/result.ts';
import type { Criterion } from './condition.ts';
import {
  LIST_MEANINGS,
  type Meanings,
  SOFTWARE_MEANINGS,
  TEXT_MEANINGS,
  valueMeanings,
} from './operator-meanings.ts';
import type { Predicate, SoftwarePredicate } from './predicate.ts';

type Understood<T> = Result<T, readonly ValueFault[]>;

/** The criterion, or every fault of the value. The field must allow the operator. */
export function understandCondition(
  field: FilterField,
  operator: Operator,
  value: unknown,
): Understood<Criterion> {
  const isNegated = isNegative(operator);
  const kind = 'condition';
  switch (field.reads) {
    case 'value': {
      const read = readPredicate(valueMeanings(field), field, operator, value);
      return read.ok ? ok({ kind, reads: field.reads, field, predicate: read.value, isNegated }) : read;
    }
    case 'rows': {
      const read = readPredicate(TEXT_MEANINGS, field, operator, value);
      return read.ok ? ok({ kind, reads: field.reads, field, predicate: read.value, isNegated }) : read;
    }
    case 'list': {
      const read = readPredicate(LIST_MEANINGS, field, operator, value);
      return read.ok ? ok({ kind, reads: field.reads, field, predicate: read.value, isNegated }) : read;
    }
    case 'software': {
      const read = readPredicate(SOFTWARE_MEANINGS, field, operator, value);
      if (!read.ok) return read;
      const isComplement = field.source.key === 'software.notInstalled' && !namesNothing(read.value);
      return ok({
        kind,
        reads: field.reads,
        field,
        predicate: read.value,
        isNegated: isNegated !== isComplement,
      });
    }
    default:
      return assertNever(field);
  }
}

function readPredicate<P extends Predicate>(
  meanings: Meanings<P>,
  field: FilterField,
  operator: Operator,
  value: unknown,
): Understood<P> {
  const meaning = meanings[isNegative(operator) ? COMPLEMENTS[operator] : operator];
  if (meaning === undefined) throw new Error(`${field.key} does not take ${operator}`);
  if (meaning.takes === null) {
    return value === undefined || value === null
      ? ok(meaning.predicate)
      : fault('value', 'value_not_allowed', `${operator} takes no value; leave value out`);
  }
  if (value === undefined) {
    return fault('value', 'value_required', `value is missing; ${operator} takes ${meaning.takes}`);
  }
  if (value === null) {
    const hint = field.operators.includes('isNull') ? '; to find devices without a value, use isNull' : '';
    return fault('value', 'invalid_value', `value must be ${meaning.takes}, not null${hint}`);
  }
  return meaning.parse(value);
}

function isNegative(operator: Operator): operator is keyof typeof COMPLEMENTS {
  return operator in COMPLEMENTS;
}

/** An empty list matches nothing, even with software.notInstalled (Contract: §3). */
function namesNothing(predicate: SoftwarePredicate): boolean {
  return predicate.kind !== 'textLike' && predicate.values.size === 0;
}
