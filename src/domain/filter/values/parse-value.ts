/** Parses values by shape: single, list, range, span (Spec: Value shapes by operator; Contract: §4). */
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { describe, type Scalar, type ScalarRefusal } from './parse-scalar.ts';
import { TIME_UNITS, type TimeSpan, type TimeUnit } from './time-span.ts';

export interface ValueFault {
  /** `value`, or deeper, such as `value.from` and `value[3]`. */
  readonly member: string;
  readonly code: 'value_required' | 'value_not_allowed' | 'invalid_value' | 'invalid_pattern';
  readonly message: string;
}

export interface ValueParser<T> {
  /** For messages, such as `an array of strings`. */
  readonly takes: string;
  /** 1 to 100 faults. */
  parse(value: unknown): Result<T, readonly ValueFault[]>;
}

export function single<T>(scalar: Scalar<T>): ValueParser<T> {
  return {
    takes: scalar.one,
    parse(value) {
      const parsed = scalar.parse(value);
      return parsed.ok ? parsed : invalid('value', parsed.error);
    },
  };
}

export function listOf<T>(scalar: Scalar<T>): ValueParser<readonly T[]> {
  const takes = `an array of ${scalar.many}`;
  return {
    takes,
    parse(value) {
      if (!Array.isArray(value)) return invalid('value', `must be ${takes}, not ${describe(value)}`);
      const values: T[] = [];
      const faults: ValueFault[] = [];
      for (const [i, element] of value.entries()) {
        const parsed =
          typeof element === 'string'
            ? scalar.parse(element)
            : err(`must be ${scalar.one}, not ${describe(element)}`);
        if (parsed.ok) values.push(parsed.value);
        else if (faults.push(toFault(`value[${i}]`, parsed.error)) === MAX_FAULTS) break;
      }
      return faults.length === 0 ? ok(values) : err(faults);
    },
  };
}

/** Accepts `{from, to}` and nothing else. `order` returns a fault if the bounds are in the wrong order. */
export function rangeOf<T>(
  scalar: Scalar<T>,
  order: (from: T, to: T) => ScalarRefusal | null,
): ValueParser<readonly [T, T]> {
  const takes = `an object {from, to} of two ${scalar.many}`;
  return {
    takes,
    parse(value) {
      const members = parseMembers(value, ['from', 'to'], takes);
      if (!members.ok) return members;
      const from = scalar.parse(members.value.from);
      const to = scalar.parse(members.value.to);
      if (from.ok && to.ok) {
        const reason = order(from.value, to.value);
        return reason === null
          ? ok([from.value, to.value])
          : fault('value', 'invalid_value', `value.from ${reason}`);
      }
      const faults: ValueFault[] = [];
      if (!from.ok) faults.push(toFault('value.from', from.error));
      if (!to.ok) faults.push(toFault('value.to', to.error));
      return err(faults);
    },
  };
}

export const SPAN: ValueParser<TimeSpan> = {
  takes: `an object {amount, unit}, with a unit of ${TIME_UNITS.join(', ')}`,
  parse(value) {
    const members = parseMembers(value, ['amount', 'unit'], SPAN.takes);
    if (!members.ok) return members;
    const { amount, unit } = members.value;
    const faults: ValueFault[] = [];
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
      faults.push(toFault('value.amount', `must be a number greater than 0, not ${describe(amount)}`));
    } else if (unit === 'months' && !Number.isInteger(amount)) {
      faults.push(toFault('value.amount', `must be a whole number of months, not ${describe(amount)}`));
    }
    if (!TIME_UNITS.includes(unit as TimeUnit)) {
      faults.push(toFault('value.unit', `must be one of ${TIME_UNITS.join(', ')}, not ${describe(unit)}`));
    }
    return faults.length === 0 ? ok({ amount, unit } as TimeSpan) : err(faults);
  },
};

export function mapped<T, U>(parser: ValueParser<T>, change: (value: T) => U): ValueParser<U> {
  return {
    takes: parser.takes,
    parse(value) {
      const parsed = parser.parse(value);
      return parsed.ok ? ok(change(parsed.value)) : parsed;
    },
  };
}

export function fault(
  member: string,
  code: ValueFault['code'],
  message: string,
): Result<never, readonly ValueFault[]> {
  return err([{ member, code, message }]);
}

function parseMembers<K extends string>(
  value: unknown,
  names: readonly K[],
  takes: string,
): Result<Readonly<Record<K, unknown>>, readonly ValueFault[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('value', `must be ${takes}, not ${describe(value)}`);
  }
  const faults: ValueFault[] = [];
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    const member = `value.${name}`;
    faults.push({
      member,
      code: 'value_required',
      message: `${member} is missing. value must be ${takes}.`,
    });
  }
  for (const name of Object.keys(value)) {
    if (names.includes(name as K)) continue;
    const message = `value has no member ${describe(name)}. It must be ${takes}.`;
    if (faults.push({ member: 'value', code: 'value_not_allowed', message }) === MAX_FAULTS) break;
  }
  return faults.length === 0 ? ok(value as Record<K, unknown>) : err(faults);
}

function invalid(member: string, reason: ScalarRefusal): Result<never, readonly ValueFault[]> {
  return err([toFault(member, reason)]);
}

function toFault(member: string, reason: ScalarRefusal): ValueFault {
  return { member, code: 'invalid_value', message: `${member} ${reason}` };
}
