import * as v from 'valibot';
import { type Id, parseId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { RecordKind } from './record-kinds.ts';
import {
  flagFault,
  idFault,
  instantFault,
  keyFault,
  listFault,
  nameFault,
  readInstant,
  textFault,
  wordFault,
} from './value-faults.ts';

/** Any text that can be stored; it may be empty. */
export const text = faultless<string>(textFault);

/** A text that is not blank. */
export const name = faultless<string>(nameFault);

/** A text that is indexed for searching or sorting. */
export const key = faultless<string>(keyFault);

export const flag = faultless<boolean>(flagFault);

/** An instant by the contract's grammar; a date alone is its first instant (Contract: §4, §9). */
export const instant = v.pipe(
  faultless<string>(instantFault),
  v.transform((value) => readInstant(value) as EpochMs),
);

/** A whole number from 0. */
export const count = v.pipe(
  v.unknown(),
  v.check(
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT,
    'must be a whole number from 0',
  ),
  v.transform(Number),
);

/** As PostgreSQL's integer. */
const MAX_COUNT = 2 ** 31 - 1;

export const sha256 = v.pipe(
  v.unknown(),
  v.check(
    (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
    'must be a SHA-256 in 64 lower-case hexadecimal digits',
  ),
  v.transform(String),
);

export function id<K extends string>() {
  return v.pipe(
    faultless<string>(idFault),
    v.transform((value) => parseId(value) as Id<K>),
  );
}

/** The `kind` of a record, which the reader of documents adds. */
export function kind<const K extends RecordKind>(word: K) {
  return oneOf([word]);
}

export function oneOf<const W extends string>(words: readonly W[]) {
  return faultless<W>((value) => wordFault(value, words));
}

export function listOf<const S extends v.GenericSchema>(element: S) {
  return v.array(element, (issue) => listFault(issue.input) ?? '');
}

export function optional<const S extends v.GenericSchema>(schema: S) {
  return v.nullish(schema, null);
}

/** Accepts the values for which `fault` returns null, and reports its message for others. */
export function faultless<T>(fault: (value: unknown) => string | null) {
  return v.custom<T>(
    (value) => fault(value) === null,
    (issue) => fault(issue.input) ?? '',
  );
}
