/** What the value of a field can be written with in a filter text, by the field's type (Contract: §11). */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';

export type Sign = '=' | '>' | '>=' | '<' | '<=';

/** How a value is written; a bare value (no key) has a style of its own. */
export interface ValueStyle {
  readonly signs: readonly Sign[];
  /** `/re/`. */
  readonly hasPatterns: boolean;
  /** `v*` and `*v`; a bare value refuses them, and elsewhere `*` is a character like any other. */
  readonly stars: 'operator' | 'refused' | 'literal';
  /** `[a,b]`. */
  readonly hasBrackets: boolean;
  /** Whether commas separate values: never, after `=`, or always. */
  readonly splits: 'never' | 'afterEquals' | 'always';
}

const NOTHING: ValueStyle = {
  signs: [],
  hasPatterns: false,
  stars: 'literal',
  hasBrackets: false,
  splits: 'never',
};

const COMPARED: ValueStyle = { ...NOTHING, signs: ['>', '>=', '<', '<='] };
const CHOSEN: ValueStyle = { ...NOTHING, splits: 'always' };

const STYLES: Readonly<Record<FieldType, ValueStyle>> = {
  string: { ...NOTHING, signs: ['='], hasPatterns: true, stars: 'operator', splits: 'afterEquals' },
  enum: CHOSEN,
  boolean: CHOSEN,
  number: COMPARED,
  datetime: COMPARED,
  array: { ...CHOSEN, hasBrackets: true },
};

const BARE: ValueStyle = { ...NOTHING, stars: 'refused' };

/** Ids and names are whole: nothing looks into them. */
const ID: ValueStyle = { ...NOTHING, signs: ['='], splits: 'afterEquals' };

/** The style of a field, or of a bare value. */
export function styleOf(field: FilterField | null): ValueStyle {
  if (field === null) return BARE;
  if (field.isUuid) return ID;
  const style = STYLES[field.type];
  return field.operators.includes('hasAll') ? { ...style, hasBrackets: true } : style;
}
