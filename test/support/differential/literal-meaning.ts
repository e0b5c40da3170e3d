/**
 * The meaning of a filter, taken word for word from the contract (§3, §4), without regard to speed. It is the third
 * opinion when evaluators are compared, and shares no queries, ranges or merging with them.
 */
import type { Device } from '#domain/device/device.ts';
import { type FieldCatalog, findEntry, type InnerField } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { Condition, ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { RawCondition, RawGroup } from '#test/support/filters.ts';
import { presentValues } from '#test/support/read-values.ts';
import { decimalText, type Held, meaningForValue } from './literal-values.ts';

export type Meaning = (device: Device, at: EpochMs) => boolean;

/** The meaning of a legal filter of any depth whose patterns can be translated. */
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

/** A condition, or a group that combines the last `size` values. */
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
  const entry = findEntry(catalog, condition.field);
  if (entry?.kind !== 'field') throw new Error(`${condition.field} is no field`);
  const { field } = entry;
  const { operator, value } = condition;
  const positive = POSITIVE[operator];
  if (positive !== undefined) return not(meaningOfCondition({ ...condition, operator: positive }, catalog));
  if (field.key === 'software.notInstalled') {
    if (Array.isArray(value) && value.length === 0) return () => false;
    return not(meaningOfCondition({ ...condition, field: 'software.installed' }, catalog));
  }
  if (field.reads === 'filter') return ofFilters([value].flat(), field, catalog);
  const present = presentValues(field);
  if (operator === 'isNotNull') return (device) => present(device).length > 0;
  if (field.type === 'array')
    return ofList(operator, value, present as (device: Device) => readonly string[]);
  if (NAMES.has(field.key)) return ofNames(operator, value, present);
  const test = meaningForValue(field, operator, value);
  return (device, at) => present(device).some((held) => test(held, at));
}

function ofFilters(ids: readonly unknown[], { inner }: InnerField, catalog: FieldCatalog): Meaning {
  const meanings = ids.map((id) => {
    const filter = inner?.get(String(id).toLowerCase());
    if (filter?.ok !== true) throw new Error(`${id} is no filter`);
    const known = MEANINGS.get(filter.value) ?? meaningOfFilter(filter.value, catalog);
    MEANINGS.set(filter.value, known);
    return known;
  });
  return (device, at) => meanings.some((meaning) => meaning(device, at));
}

/** Remembers the last result, because filters that name others twice would double the work at each level. */
function meaningOfFilter({ orgIds, conditions }: InnerFilter, catalog: FieldCatalog): Meaning {
  const meaning = literalMeaning(toRaw(conditions), catalog);
  let last: readonly [Device, EpochMs, boolean] | null = null;
  return (device, at) => {
    if (last?.[0] === device && last[1] === at) return last[2];
    const isCovered = orgIds === null || orgIds.has(device.orgId);
    last = [device, at, isCovered && meaning(device, at)];
    return last[2];
  };
}

const MEANINGS = new WeakMap<InnerFilter, Meaning>();

function toRaw(root: ConditionGroup): RawGroup {
  return foldConditions<Condition, RawCondition | RawGroup>(root, {
    condition: ({ field, operator, value }) => ({ field: field.key, operator, value }),
    group: ({ operator }, conditions) => ({ operator, conditions }),
  }) as RawGroup;
}

/** Negative operators, each with the positive operator that is its exact complement. */
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

/** Fields that ignore case. */
const NAMES = new Set(['software.installed', 'patches.pendingTitle', 'patches.failedTitle']);

function ofNames(operator: string, value: unknown, read: (device: Device) => readonly Held[]): Meaning {
  const names = (device: Device) => read(device).map((name) => foldCase(String(name)));
  const wanted = (Array.isArray(value) ? value : [value]).map((name) => foldCase(decimalText(name)));
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
      throw new Error(`${operator} is no operator of names`);
  }
}
