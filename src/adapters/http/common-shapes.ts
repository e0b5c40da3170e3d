/**
 * Building blocks of shapes. A shape is the only description of a body or an answer: presenters, the console and the
 * OpenAPI document derive from it (Contract: §1).
 */
import * as v from 'valibot';
import { MAX_NAME_LENGTH, type WholeNumbers } from '#application/input-values.ts';

export type Shape<S extends v.GenericSchema> = DeepReadonly<v.InferOutput<S>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export function shown<const S extends v.GenericSchema>(
  schema: S,
  example: v.InferInput<S>,
  description?: string,
) {
  return v.pipe(schema, v.metadata({ example, ...(description !== undefined && { description }) }));
}

export const EXAMPLE_ID = {
  filter: '01a20146-3761-70a3-8118-b63b5b8966e9',
  device: '01942378-33a8-71ac-ab2c-b80ea760f94d',
  organization: '0195017c-5566-7712-90a2-25d514c6c998',
  partner: '01950100-7d1e-7a52-8f1d-90c11b2e6a01',
  site: '01950101-2b3c-7d4e-8f60-718293a4b5c6',
  subscription: '01a2014b-6a20-7c64-9a3d-5f0d6f7b2c11',
  user: '0194ec09-b0b9-799d-bc48-87e37daaeb58',
  other: '01a20149-b9d2-754b-9512-a2c1187d8ce9',
} as const;

const EXAMPLE_INSTANT = '2026-02-10T08:00:00.000Z';

export function id(kind: keyof typeof EXAMPLE_ID = 'other', description?: string) {
  return shown(v.pipe(v.string(), v.uuid()), EXAMPLE_ID[kind], description);
}

export function text(example: string, description?: string) {
  return shown(v.string(), example, description);
}

export function optionalText(example: string | null, description?: string) {
  return shown(v.nullable(v.string()), example, description);
}

export const NAMED_PERSON = shown(
  v.nullable(v.object({ id: id('user'), name: v.string() })),
  { id: EXAMPLE_ID.user, name: 'Rosalind Moorcroft' },
  'Null if the person is erased or out of reach.',
);

/** ISO 8601 in UTC, with milliseconds. */
export const INSTANT = shown(v.pipe(v.string(), v.isoTimestamp()), EXAMPLE_INSTANT);

export function count(example = 1, description?: string) {
  return shown(v.pipe(v.number(), v.integer(), v.minValue(0)), example, description);
}

export function wholeNumber({ min, max }: WholeNumbers, example: number) {
  return shown(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), example);
}

/** The limit is only described: `maxLength` would refuse names that fit after trimming. */
export function name(example: string, max = MAX_NAME_LENGTH) {
  return text(example, `1 to ${max} characters, trimmed.`);
}

export function dataOf<const S extends v.GenericSchema>(data: S) {
  return v.object({ data });
}

export function listOf<const S extends v.GenericSchema>(item: S) {
  return v.object({ data: v.array(item) });
}

export function pageOf<const S extends v.GenericSchema>(item: S) {
  return v.object({
    data: v.array(item),
    nextCursor: optionalText(null, 'The `cursor` of the next page; null on the last page.'),
  });
}

export function exampleOf(schema: v.GenericSchema): unknown {
  const { example } = v.getMetadata(schema) as { readonly example?: unknown };
  if (example !== undefined) return example;
  const { type, entries, item, wrapped, options, literal } = schema as SchemaParts;
  if (entries !== undefined) {
    return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, exampleOf(entry)]));
  }
  if (item !== undefined) return [exampleOf(item)];
  if (wrapped !== undefined) return exampleOf(wrapped);
  if (options !== undefined) return options[0];
  return type === 'boolean' ? false : literal;
}

interface SchemaParts extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
}
