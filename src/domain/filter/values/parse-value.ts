/**
 * Values of a condition by their shape: single values, lists, bounds and spans, each either understood or refused
 * with the place and the reason of every fault (Spec: Value shapes by operator; Contract: §4).
 */
import type { ValueShape } from '#domain/filter/catalog/operator.ts';
import { isUuid } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { describe, type ScalarRefusal } from './parse-scalar.ts';
import { TIME_UNITS, type TimeSpan, type TimeUnit } from './time-span.ts';

export interface ValueFault {
  /** `value`, or deeper: `value.from`, `value[3]`. */
  readonly member: string;
  readonly code: 'value_required' | 'value_not_allowed' | 'invalid_value' | 'invalid_pattern';
  readonly message: string;
}

/** What a person is told to send. */
export const EXPECTED = {
  scalar: 'a string, number or boolean',
  list: 'an array of strings',
  date: 'a date string',
  range: 'an object {from, to}',
  span: `an object {amount, unit} with a unit of ${TIME_UNITS.join(', ')}`,
  none: 'no value',
} as const satisfies Record<ValueShape, string>;

/** A UUID in canonical form. */
export function parseUuid(value: unknown): Result<string, ScalarRefusal> {
  return typeof value === 'string' && isUuid(value)
    ? ok(value.toLowerCase())
    : err(`must be a UUID, not ${describe(value)}`);
}

/** A single value. */
export function parseValue<T>(
  value: unknown,
  parse: (value: unknown) => Result<T, ScalarRefusal>,
): Result<T, readonly ValueFault[]> {
  const parsed = parse(value);
  return parsed.ok ? parsed : invalid('value', parsed.error);
}

/** An array of strings, each of which parses; every element that does not is named. */
export function parseList<T>(
  value: unknown,
  parse: (value: unknown) => Result<T, ScalarRefusal>,
): Result<readonly T[], readonly ValueFault[]> {
  if (!Array.isArray(value)) return invalid('value', `must be an array of strings, not ${describe(value)}`);
  const values: T[] = [];
  const faults: ValueFault[] = [];
  value.forEach((element: unknown, i) => {
    const parsed =
      typeof element === 'string' ? parse(element) : err(`must be a string, not ${describe(element)}`);
    if (parsed.ok) values.push(parsed.value);
    else faults.push(toFault(`value[${i}]`, parsed.error));
  });
  return faults.length === 0 ? ok(values) : err(faults);
}

/** `{from, to}` and nothing else; whether they are in order is the caller's to say. */
export function parseBounds<T>(
  value: unknown,
  parse: (value: unknown) => Result<T, ScalarRefusal>,
): Result<readonly [T, T], readonly ValueFault[]> {
  const members = parseMembers(value, ['from', 'to'], EXPECTED.range);
  if (!members.ok) return members;
  const from = parse(members.value.from);
  const to = parse(members.value.to);
  if (from.ok && to.ok) return ok([from.value, to.value]);
  const faults: ValueFault[] = [];
  if (!from.ok) faults.push(toFault('value.from', from.error));
  if (!to.ok) faults.push(toFault('value.to', to.error));
  return err(faults);
}

/** `{amount, unit}` and nothing else. */
export function parseSpan(value: unknown): Result<TimeSpan, readonly ValueFault[]> {
  const members = parseMembers(value, ['amount', 'unit'], EXPECTED.span);
  if (!members.ok) return members;
  const { amount, unit } = members.value;
  const faults: ValueFault[] = [];
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
    faults.push(toFault('value.amount', `must be a number above 0, not ${describe(amount)}`));
  } else if (unit === 'months' && !Number.isInteger(amount)) {
    faults.push(toFault('value.amount', `must be whole for months, not ${describe(amount)}`));
  }
  if (!TIME_UNITS.includes(unit as TimeUnit)) {
    faults.push(toFault('value.unit', `must be one of ${TIME_UNITS.join(', ')}, not ${describe(unit)}`));
  }
  return faults.length === 0 ? ok({ amount, unit } as TimeSpan) : err(faults);
}

/** The refusal of bounds that are the wrong way round. */
export function outOfOrder(): Result<never, readonly ValueFault[]> {
  return invalid('value', 'has a from that comes after its to');
}

/** A refusal with one fault. */
export function fault(
  member: string,
  code: ValueFault['code'],
  message: string,
): Result<never, readonly ValueFault[]> {
  return err([{ member, code, message }]);
}

/** The named members of an object that has them all and no other. */
function parseMembers<K extends string>(
  value: unknown,
  names: readonly K[],
  expected: string,
): Result<Readonly<Record<K, unknown>>, readonly ValueFault[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('value', `must be ${expected}, not ${describe(value)}`);
  }
  const faults: ValueFault[] = [];
  for (const name of names) {
    if (!Object.hasOwn(value, name)) {
      faults.push({ member: `value.${name}`, code: 'value_required', message: `value.${name} is missing` });
    }
  }
  for (const name of Object.keys(value)) {
    if (!names.includes(name as K)) {
      faults.push({
        member: 'value',
        code: 'value_not_allowed',
        message: `value has ${names.join(' and ')} only, not ${describe(name)}`,
      });
    }
  }
  return faults.length === 0 ? ok(value as Record<K, unknown>) : err(faults);
}

function toFault(member: string, reason: ScalarRefusal): ValueFault {
  return { member, code: 'invalid_value', message: `${member} ${reason}` };
}

/** The refusal of a value with one reason. */
export function invalid(member: string, reason: ScalarRefusal): Result<never, readonly ValueFault[]> {
  return err([toFault(member, reason)]);
}
