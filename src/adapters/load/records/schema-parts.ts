import * as v from 'valibot';
import { type Id, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import type { RecordKind } from './record-kinds.ts';
import {
  flagFault,
  IS_REQUIRED,
  idFault,
  instantFault,
  keyFault,
  listFault,
  nameFault,
  objectFault,
  readInstant,
  textFault,
  unknownMemberFault,
  wordFault,
} from './value-faults.ts';

export const text = faultless<string>(textFault);

export const name = faultless<string>(nameFault);

export const key = faultless<string>(keyFault);

export const flag = faultless<boolean>(flagFault);

/** A date without a time means its first instant (Contract: §4, §9). */
export const instant = v.pipe(
  faultless<string>(instantFault),
  v.transform((value) => readInstant(value) as EpochMs),
);

export const count = v.pipe(
  v.unknown(),
  v.check(
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT,
    'must be a whole number from 0',
  ),
  v.transform(Number),
);

/** The largest value of PostgreSQL's `integer`. */
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

/** The member `kind`, which documents may omit: their reader adds it. */
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

/** `fault` returns a message, or null for an accepted value. */
export function faultless<T>(fault: (value: unknown) => string | null) {
  return v.custom<T>(
    (value) => fault(value) === null,
    (issue) => fault(issue.input) ?? '',
  );
}

export function convertedBy<I, O>(convert: (value: I) => Result<O, readonly string[]>) {
  return v.rawTransform<I, O>(({ dataset, addIssue, NEVER }) => {
    const converted = convert(dataset.value);
    if (converted.ok) return converted.value;
    for (const message of converted.error) addIssue({ message });
    return NEVER;
  });
}

export const objectOnly = faultless<Readonly<Record<string, unknown>>>(objectFault);

export function members<const E extends v.ObjectEntries>(entries: E) {
  const known = Object.keys(entries);
  return v.pipe(
    objectOnly,
    v.strictObject(entries, (issue) =>
      issue.expected === 'never' ? unknownMembersFault(issue, known) : IS_REQUIRED,
    ),
  );
}

/** Valibot reports only an object's first unknown member, so the message names the others too. */
function unknownMembersFault(issue: v.StrictObjectIssue, known: readonly string[]): string {
  const present = Object.keys(issue.path?.[0].input ?? {});
  const [first = '', ...others] = present.filter((key) => !known.includes(key));
  const fault = unknownMemberFault(first, known);
  return others.length === 0 ? fault : `${fault} (also unknown: ${others.slice(0, MAX_OTHERS).join(', ')})`;
}

const MAX_OTHERS = 10;
