import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { isOperator, type Operator, VALUE_SHAPES } from '#domain/filter/catalog/operator.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';
import { keyOfTitle, titleOfKey } from '#domain/filter/catalog/title-versions.ts';
import { valueSourceOf } from '#domain/filter/text/complete/complete-filter-text.ts';

/** A condition that may be unfinished or wrong. */
export interface WrittenCondition {
  readonly field: string;
  readonly operator: string;
  /** Undefined if no value is entered yet, or the operator takes none. */
  readonly value: unknown;
}

export type Editor =
  | { readonly kind: 'none' }
  | { readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'choice' | 'name' | 'span' }
  | { readonly kind: 'chips' | 'ring' }
  | { readonly kind: 'range'; readonly of: 'number' | 'date' | 'text' };

export function editorFor(field: FilterField, operator: Operator): Editor {
  const shape = VALUE_SHAPES[operator];
  switch (shape) {
    case 'none':
    case 'span':
      return { kind: shape };
    case 'list':
      return { kind: 'chips' };
    case 'range':
      return { kind: 'range', of: RANGES.get(field.type) ?? 'number' };
    case 'date':
      return { kind: 'date' };
    case 'scalar':
      return { kind: isRing(field, operator) ? 'ring' : scalarEditor(field) };
  }
}

/** A rollout ring is all buckets below a limit. */
function isRing({ key }: FilterField, operator: Operator): boolean {
  return key === 'rollout.bucket' && operator === 'lessThan';
}

const RANGES: ReadonlyMap<FieldType, 'date' | 'text'> = new Map([
  ['datetime', 'date'],
  ['version', 'text'],
]);

function scalarEditor(field: FilterField) {
  const { type, values, isUuid } = field;
  if (isUuid && valueSourceOf(field) !== null) return 'name' as const;
  if (values !== null) return 'choice' as const;
  if (type === 'number' || type === 'boolean') return type;
  return type === 'datetime' ? ('date' as const) : ('text' as const);
}

export function firstOperator({ key, operators, type }: FilterField): Operator {
  if (key === 'rollout.bucket') return 'lessThan';
  if (type === 'datetime') return 'withinLast';
  if (type === 'number') return 'greaterThan';
  if (type === 'version') return 'lessThan';
  if (type === 'string' && operators.includes('contains')) return 'contains';
  return operators[0] ?? 'equals';
}

export function firstValue(field: FilterField, operator: Operator): unknown {
  const editor = editorFor(field, operator);
  if (editor.kind === 'span') return { amount: 7, unit: 'days' };
  if (editor.kind === 'boolean') return true;
  if (editor.kind === 'ring') return 5;
  return undefined;
}

export function withField<T extends WrittenCondition>(condition: T, field: FilterField): T {
  const isKept = isOperator(condition.operator) && field.operators.includes(condition.operator);
  const operator = isKept ? (condition.operator as Operator) : firstOperator(field);
  return { ...condition, field: field.key, operator, value: firstValue(field, operator) };
}

export function withOperator<T extends WrittenCondition>(
  condition: T,
  field: FilterField,
  operator: Operator,
): T {
  const { operator: before, value } = condition;
  const from = isOperator(before) ? editorFor(field, before).kind : null;
  const to = editorFor(field, operator).kind;
  const carry = (carried: unknown) => ({ ...condition, operator, value: carried });
  const areNumbers = [from, to].every((kind) => kind === 'number' || kind === 'ring');
  if ((from === to && to !== 'none') || areNumbers) return carry(value);
  if (to === 'chips' && typeof value === 'string' && value !== '') return carry([value]);
  const takesText = to === 'text' || to === 'choice' || to === 'name';
  if (from === 'chips' && Array.isArray(value) && takesText) return carry(value[0]);
  return carry(firstValue(field, operator));
}

/** The software title in the key; empty until chosen, null for other fields. */
export function titleIn(field: string): string | null {
  return field === keyOfTitle('') ? '' : (titleOfKey(field)?.name ?? null);
}

export function isUnfinished({ field, operator, value }: WrittenCondition): boolean {
  if (field === '' || titleIn(field) === '') return true;
  if (!isOperator(operator)) return operator === '';
  switch (VALUE_SHAPES[operator]) {
    case 'none':
      return false;
    case 'range':
      return !isWhole(value, ['from', 'to']);
    case 'span':
      return !isWhole(value, ['amount', 'unit']);
    default:
      return value === undefined;
  }
}

function isWhole(value: unknown, members: readonly string[]): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  return members.every((member) => (value as Readonly<Record<string, unknown>>)[member] !== undefined);
}

/** Undefined for empty text. Text that is no number stays text, which validation reports. */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}
