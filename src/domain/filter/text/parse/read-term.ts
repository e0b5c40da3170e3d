/** The meaning of a term and its opposite (Contract: §11). */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { LeafJson } from '#domain/filter/text/condition-json.ts';
import { anyOf, negateLeaf, negateLeaves } from '#domain/filter/text/print/negate-leaf.ts';
import type { Place, ReportFault } from '#domain/filter/text/text-fault.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { isUuid } from '#domain/ids.ts';
import { BOOLEAN_WORDS } from './check-leaf.ts';
import { readComparison } from './read-comparison.ts';
import { onlyWord, type ScannedValue, type Term } from './term.ts';

/**
 * The ids of all organizations (`orgId`), sites (`siteId`) or saved filters (`filter`) with this name,
 * ignoring case. Only ids in the caller's reach are returned.
 *
 * A caller that asks a database parses twice. The first `ResolveName` returns no ids and only collects the
 * names. The second returns the ids from the database.
 */
export type ResolveName = (field: FilterField, name: string) => readonly string[];

/** Where a value without a key is searched. */
export const BARE_FIELDS = ['hostname', 'displayName', 'lastUser'] as const;

/** Null if the term was reported as faulty. */
export function readTerm(
  field: FilterField | null,
  value: ScannedValue,
  resolveName: ResolveName,
  report: ReportFault,
): Term | null {
  if (field === null) return bareTerm(value);
  const presence = readPresence(field, value);
  if (presence !== null) return leafTerm(field, presence, value);
  if (field.isUuid) return readIds(field, value, resolveName, report);
  switch (field.type) {
    case 'string':
      return leafTerm(field, readText(field, value), value);
    case 'enum':
      return leafTerm(field, choose(field, value, 'equals', 'in'), value);
    case 'array':
      return leafTerm(field, readList(field, value), value);
    case 'boolean':
      return readBooleans(field, value);
    case 'version':
      return value.sign === '='
        ? leafTerm(field, choose(field, value, 'equals', 'in'), value)
        : readComparison(field, value, report);
    case 'number':
    case 'datetime':
      return readComparison(field, value, report);
  }
}

function bareTerm(value: ScannedValue): Term {
  const leaves = BARE_FIELDS.map(
    (field): LeafJson => ({ field, operator: 'contains', value: onlyWord(value).text }),
  );
  return {
    checked: leaves.slice(0, 1).map((leaf) => ({ leaf, placeOf: () => value })),
    whenTrue: () => anyOf(leaves),
    whenFalse: () => ({
      operator: 'AND',
      conditions: leaves.map((leaf) => ({ ...leaf, operator: 'notContains' })),
    }),
  };
}

function leafTerm(field: FilterField, leaf: LeafJson, value: ScannedValue): Term {
  return {
    checked: [{ leaf, placeOf: (member) => placeInList(value, member) }],
    whenTrue: () => leaf,
    whenFalse: () => negateLeaf(field, leaf),
  };
}

function placeInList(value: ScannedValue, member: string): Place {
  const index = /^value\[(\d+)\]$/.exec(member)?.[1];
  return (index === undefined ? undefined : value.words[Number(index)]) ?? value;
}

/** Null unless the value is `none` or `any` and the field has such an operator. */
function readPresence(field: FilterField, { sign, form, words, star }: ScannedValue): LeafJson | null {
  const [word] = words;
  if (sign !== '' || form !== 'words' || star !== 'none' || words.length !== 1) return null;
  if (word === undefined || word.isQuoted || field.values?.includes(word.text) === true) return null;
  const operators = PRESENCE.get(word.text) ?? [];
  const operator = operators.find((known) => field.operators.includes(known));
  return operator === undefined ? null : { field: field.key, operator };
}

const PRESENCE: ReadonlyMap<string, readonly Operator[]> = new Map([
  ['none', ['isNull', 'isEmpty']],
  ['any', ['isNotNull', 'isNotEmpty']],
]);

function readText(field: FilterField, value: ScannedValue): LeafJson {
  const { sign, form, star } = value;
  if (form === 'brackets') return listLeaf(field, sign === '=' ? 'in' : 'hasAll', value);
  if (sign === '=') return choose(field, value, 'equals', 'in');
  const operator =
    form === 'pattern'
      ? 'matches'
      : star === 'after'
        ? 'startsWith'
        : star === 'before'
          ? 'endsWith'
          : 'contains';
  return { field: field.key, operator, value: onlyWord(value).text };
}

function readList(field: FilterField, value: ScannedValue): LeafJson {
  return value.form === 'brackets'
    ? listLeaf(field, 'hasAll', value)
    : choose(field, value, 'contains', 'hasAny');
}

function choose(field: FilterField, value: ScannedValue, one: Operator, several: Operator): LeafJson {
  return value.words.length === 1
    ? { field: field.key, operator: one, value: onlyWord(value).text }
    : listLeaf(field, several, value);
}

function listLeaf(field: FilterField, operator: Operator, { words }: ScannedValue): LeafJson {
  return { field: field.key, operator, value: words.map(({ text }) => text) };
}

function readIds(
  field: FilterField,
  value: ScannedValue,
  resolveName: ResolveName,
  report: ReportFault,
): Term {
  const ids = new Set<string>();
  for (const word of value.words) {
    const found = isUuid(word.text) ? [word.text.toLowerCase()] : resolveName(field, word.text);
    for (const id of found) ids.add(id);
    if (found.length > 0) continue;
    report(word, 'invalid_value', `No ${field.label.toLowerCase()} is named ${describe(word.text)}`);
  }
  const [only] = ids;
  const leaf: LeafJson =
    ids.size === 1
      ? { field: field.key, operator: 'equals', value: only }
      : { field: field.key, operator: 'in', value: [...ids] };
  return leafTerm(field, leaf, value);
}

/** Booleans have no `in`, so each value becomes a leaf. */
function readBooleans(field: FilterField, value: ScannedValue): Term {
  const leaves = value.words.map(
    ({ text }): LeafJson => ({
      field: field.key,
      operator: 'equals',
      value: BOOLEAN_WORDS.get(text) ?? text,
    }),
  );
  return {
    checked: leaves.map((leaf, i) => ({ leaf, placeOf: () => value.words[i] ?? value })),
    whenTrue: () => anyOf(leaves),
    whenFalse: () => negateLeaves(field, leaves),
  };
}
