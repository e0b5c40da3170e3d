/**
 * What a filter means, read off the contract word for word (§3, §4) with no thought for speed: the third opinion
 * when evaluators are compared, which shares neither their questions nor their ranges nor their merging.
 */
import type { Device, EpochMs } from '#domain/device/device.ts';
import type { FieldCatalog, FilterField } from '#domain/filter/field-catalog.ts';
import { readerOf } from '#domain/filter/read-field.ts';
import { translatePattern } from '#domain/filter/regex/translate-pattern.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { RawCondition, RawGroup } from './filters.ts';

export type Meaning = (device: Device, at: EpochMs) => boolean;

/** The meaning of a legal filter whose patterns can be translated, of any depth. */
export function literalMeaning(root: RawGroup, catalog: FieldCatalog): Meaning {
  const steps = inPostfix(root, catalog);
  return (device, at) => {
    const values: boolean[] = [];
    for (const step of steps) {
      if (typeof step === 'function') values.push(step(device, at));
      else {
        const members = values.splice(-step.size);
        values.push(step.operator === 'AND' ? !members.includes(false) : members.includes(true));
      }
    }
    return values[0] === true;
  };
}

/** A test, or the group of the last `size` values. */
type Step = Meaning | { readonly operator: RawGroup['operator']; readonly size: number };

function inPostfix(root: RawGroup, catalog: FieldCatalog): readonly Step[] {
  const steps: Step[] = [];
  const open: (RawGroup | RawCondition)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('field' in node) steps.push(meaningOfCondition(node, catalog));
    else {
      steps.push({ operator: node.operator, size: node.conditions.length });
      open.push(...node.conditions);
    }
  }
  return steps.reverse();
}

function meaningOfCondition(condition: RawCondition, catalog: FieldCatalog): Meaning {
  const entry = catalog.get(condition.field);
  if (entry?.kind !== 'field') throw new Error(`${condition.field} is no field`);
  const { field } = entry;
  const { operator, value } = condition;
  const positive = POSITIVE[operator];
  if (positive !== undefined) return not(meaningOfCondition({ ...condition, operator: positive }, catalog));
  if (field.key === 'software.notInstalled') {
    if (Array.isArray(value) && value.length === 0) return () => false;
    return not(meaningOfCondition({ ...condition, field: 'software.installed' }, catalog));
  }
  const present = valuesOf(field);
  if (operator === 'isNotNull') return (device) => present(device).length > 0;
  if (field.type === 'array')
    return ofList(operator, value, present as (device: Device) => readonly string[]);
  if (field.key === 'software.installed') return ofSoftware(operator, value, present);
  const test = ofValue(field, operator, value);
  return (device, at) => present(device).some((held) => test(held, at));
}

/** Each is the exact complement of the other. */
const POSITIVE: Readonly<Partial<Record<string, string>>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
  notWithinLast: 'withinLast',
  isNull: 'isNotNull',
  isNotEmpty: 'isEmpty',
};

function not(meaning: Meaning): Meaning {
  return (device, at) => !meaning(device, at);
}

type Held = string | number | boolean;

/** What a device has in the field, without what is missing. */
function valuesOf(field: FilterField): (device: Device) => readonly Held[] {
  const reader = readerOf(field);
  return (device) => {
    const values = reader.kind === 'single' ? [reader.read(device)] : reader.read(device);
    return values.filter((value) => value !== null);
  };
}

function ofList(operator: string, value: unknown, read: (device: Device) => readonly string[]): Meaning {
  switch (operator) {
    case 'isEmpty':
      return (device) => read(device).length === 0;
    case 'contains':
      return (device) => read(device).includes(String(value));
    case 'hasAny':
      return (device) => (value as string[]).some((wanted) => read(device).includes(wanted));
    case 'hasAll':
      return (device) => (value as string[]).every((wanted) => read(device).includes(wanted));
    default:
      throw new Error(`${operator} is no operator of a list`);
  }
}

function ofSoftware(operator: string, value: unknown, read: (device: Device) => readonly Held[]): Meaning {
  const names = (device: Device) => read(device).map((name) => foldCase(String(name)));
  const wanted = (Array.isArray(value) ? value : [value]).map((name) => foldCase(text(name)));
  switch (operator) {
    case 'contains':
      return (device) => names(device).some((name) => name.includes(wanted[0] ?? ''));
    case 'equals':
    case 'in':
    case 'hasAny':
      return (device) => names(device).some((name) => wanted.includes(name));
    case 'hasAll':
      return (device) => wanted.every((name) => names(device).includes(name));
    default:
      throw new Error(`${operator} is no operator of software`);
  }
}

type ValueMeaning = (held: Held, at: EpochMs) => boolean;

function ofValue(field: FilterField, operator: string, value: unknown): ValueMeaning {
  switch (field.type) {
    case 'string':
    case 'enum':
      return ofText(operator, value, field.isUuid);
    case 'boolean':
      return (held) => String(held) === String(value);
    case 'number':
      return field.category === 'computed' ? ofElapsedDays(operator, value) : ofNumber(operator, value);
    case 'datetime':
      return operator === 'withinLast' ? ofSpan(value as Span) : ofDate(operator, value);
    case 'array':
      throw new Error('a list is not a single value');
  }
}

function ofText(operator: string, value: unknown, isUuid: boolean): ValueMeaning {
  switch (operator) {
    case 'equals':
      return (held) => held === (isUuid ? text(value).toLowerCase() : text(value));
    case 'in':
      return (held) => (value as string[]).some((one) => held === (isUuid ? one.toLowerCase() : one));
    case 'contains':
      return (held) => foldCase(String(held)).includes(foldCase(text(value)));
    case 'startsWith':
      return (held) => foldCase(String(held)).startsWith(foldCase(text(value)));
    case 'endsWith':
      return (held) => foldCase(String(held)).endsWith(foldCase(text(value)));
    case 'matches': {
      const matcher = translatePattern(text(value));
      if (!matcher.ok) throw new Error('the pattern cannot be translated');
      return (held) => matcher.value(String(held));
    }
    default:
      throw new Error(`${operator} is no operator of a text`);
  }
}

/** A number stands for its decimal text. */
function text(value: unknown): string {
  return value === 1e-7 ? '0.0000001' : String(value);
}

function ofNumber(operator: string, value: unknown): ValueMeaning {
  if (operator === 'between') {
    const { from, to } = value as { from: unknown; to: unknown };
    return (held) => Number(held) >= Number(from) && Number(held) <= Number(to);
  }
  const bound = Number(value);
  switch (operator) {
    case 'equals':
      return (held) => held === bound;
    case 'greaterThan':
      return (held) => Number(held) > bound;
    case 'greaterThanOrEquals':
      return (held) => Number(held) >= bound;
    case 'lessThan':
      return (held) => Number(held) < bound;
    case 'lessThanOrEquals':
      return (held) => Number(held) <= bound;
    default:
      throw new Error(`${operator} is no operator of a number`);
  }
}

const DAY = 86_400_000;

/** By the exact fraction, except that equals a whole number compares whole days. */
function ofElapsedDays(operator: string, value: unknown): ValueMeaning {
  const isWhole = operator === 'equals' && Number.isInteger(Number(value));
  const ofDays = ofNumber(operator, Number.isNaN(Number(value)) ? value : Number(value));
  return (held, at) => {
    const days = (at - Number(held)) / DAY;
    return ofDays(isWhole ? Math.floor(days) : days, at);
  };
}

/** A date without a time stands for the whole day. */
function ofDate(operator: string, value: unknown): ValueMeaning {
  const first = (date: unknown) => parseIsoInstant(String(date))?.epochMs ?? Number.NaN;
  const last = (date: unknown) => first(date) + (String(date).length === 'YYYY-MM-DD'.length ? DAY - 1 : 0);
  switch (operator) {
    case 'equals':
      return (held) => Number(held) >= first(value) && Number(held) <= last(value);
    case 'before':
      return (held) => Number(held) < first(value);
    case 'after':
      return (held) => Number(held) > last(value);
    case 'between': {
      const { from, to } = value as { from: unknown; to: unknown };
      return (held) => Number(held) >= first(from) && Number(held) <= last(to);
    }
    default:
      throw new Error(`${operator} is no operator of a date`);
  }
}

interface Span {
  readonly amount: number;
  readonly unit: string;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: DAY,
  weeks: 7 * DAY,
};

/** At or after the instant minus the span, the future included; beyond the calendar, for ever. */
function ofSpan({ amount, unit }: Span): ValueMeaning {
  if (unit === 'months') return (held, at) => Number(held) >= monthsBefore(at, amount);
  const span = amount * (UNIT_MS[unit] ?? Number.NaN);
  return (held, at) => at - Number(held) <= span || at - span < CALENDAR_START;
}

const CALENDAR_START = Date.parse('0001-01-01T00:00:00.000Z');

/** The same day and time in an earlier month, or the last day where that has fewer; null months count for ever. */
function monthsBefore(at: EpochMs, months: number): EpochMs {
  const then = new Date(at);
  const month = then.getUTCFullYear() * 12 + then.getUTCMonth() - months;
  if (month < 12) return Number.NEGATIVE_INFINITY;
  const yearAndMonth = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  const time = then.toISOString().slice(10);
  for (let day = then.getUTCDate(); ; day--) {
    const found = parseIsoInstant(`${yearAndMonth}-${String(day).padStart(2, '0')}${time}`);
    if (found !== null) return found.epochMs;
  }
}
