/** Terms whose colon was forgotten: `cpu>90` looks for that very text in names, where `cpu:>90` was meant. */
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { makeKeyFinder, printKey } from '#domain/filter/text/text-keys.ts';
import { type CompletionItem, operatorItems } from './completion-items.ts';

/** A key, a comparison as other languages write it, and what it is compared with. */
const COMPARISON = /^([^<>=!]+)(<>|<=?|>=?|[=!]?==?)(.*)$/s;

const ORDERS: readonly string[] = ['<', '<=', '>', '>='];

/** The field's terms that say what was typed, each with its colon; none unless a key and a comparison were typed. */
export function colonItems(catalog: FieldCatalog, typed: string): readonly CompletionItem[] {
  const comparison = COMPARISON.exec(typed);
  if (comparison === null) return [];
  const [, written = '', sign = '', value = ''] = comparison;
  const entry = makeKeyFinder(catalog)(written);
  if (entry?.kind !== 'field') return [];
  const { field } = entry;
  const { label, description } = field;
  const key = `${sign === '!=' || sign === '<>' ? '-' : ''}${printKey(field.key)}:`;
  const isEquality = !ORDERS.includes(sign);
  if (value === '') {
    return isEquality
      ? [{ insert: key, label, description }]
      : operatorItems(field).flatMap(({ insert, label: meaning }) =>
          insert === sign ? [{ insert: `${key}${insert}`, label: `${label}: ${meaning}`, description }] : [],
        );
  }
  const insert = (isEquality ? [`${key}=${value}`, `${key}${value}`] : [`${key}${sign}${value}`]).find(
    (term) => parseFilterText(term, catalog, anyName).ok,
  );
  return insert === undefined ? [] : [{ insert, label, description }];
}

/** Whether there is such an organization or site shows when the text is read. */
function anyName(): readonly string[] {
  return ['00000000-0000-0000-0000-000000000000'];
}
