/**
 * Parsers of query parameters (Contract: §1). Their input is text, `undefined`, or an array if a parameter
 * was sent with different values. Their metadata is for the OpenAPI document.
 */
import * as v from 'valibot';
import { FIRST_INSTANT, LAST_INSTANT, parseDate, type WholeNumbers } from '#application/input-values.ts';
import { type Id, isUuid, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** In JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type Parameter<T> = (name: string) => v.GenericSchema<unknown, T>;

export interface ShownParameter {
  readonly jsonSchema: JsonSchema;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly example?: string | number | boolean;
}

export function shownParameter(schema: v.GenericSchema): ShownParameter {
  const { jsonSchema = {}, isRequired = true, ...more } = v.getMetadata(schema) as Partial<ShownParameter>;
  return { jsonSchema, isRequired, ...more };
}

function shown(jsonSchema: JsonSchema, isRequired = true): { jsonSchema: JsonSchema; isRequired: boolean } {
  return { jsonSchema, isRequired };
}

export function described<T>(
  parameter: Parameter<T>,
  description: string,
  example?: string | number | boolean,
): Parameter<T> {
  return (name) =>
    v.pipe(parameter(name), v.metadata({ description, ...(example !== undefined && { example }) }));
}

/** Only a missing parameter gets the fallback, not an empty one. */
export function optional<T, F>(parameter: Parameter<T>, fallback: F): Parameter<T | F> {
  return (name) => {
    const schema = parameter(name);
    const { jsonSchema } = shownParameter(schema);
    const isShown = fallback !== null && fallback !== undefined && fallback !== '';
    return v.pipe(
      v.optional(schema),
      v.metadata(shown({ ...jsonSchema, ...(isShown && { default: fallback }) }, false)),
      v.transform((value) => value ?? fallback),
    );
  };
}

/** Passes an invalid value on as sent, for use cases that report all faults together. */
export function leftToUseCase<T>(parameter: Parameter<T>): Parameter<T | string> {
  return (name) => {
    const schema = parameter(name);
    const { jsonSchema, isRequired } = shownParameter(schema);
    return v.pipe(
      single(name),
      v.metadata(shown(jsonSchema, isRequired)),
      v.transform((sent) => {
        const read = v.safeParse(schema, sent);
        return read.success ? read.output : sent;
      }),
    );
  };
}

/** Accepts no sign, fraction, exponent or leading zero. */
export function wholeNumber({ min, max }: Pick<WholeNumbers, 'min' | 'max'>): Parameter<number> {
  return (name) => {
    const message = `${name} must be a whole number from ${min} to ${max}`;
    return v.pipe(
      single(name),
      v.regex(PLAIN_INTEGER, message),
      v.transform(Number),
      v.minValue(min, message),
      v.maxValue(max, message),
      v.metadata(shown({ type: 'integer', minimum: min, maximum: max })),
    );
  };
}

export function oneOf<const W extends string>(words: readonly W[]): Parameter<W> {
  return (name) =>
    v.pipe(
      single(name),
      v.picklist(words, `${name} must be one of ${words.join(', ')}`),
      v.metadata(shown({ type: 'string', enum: words })),
    );
}

export const flag: Parameter<boolean> = (name) =>
  v.pipe(
    single(name),
    v.picklist(['true', 'false'], `${name} must be true or false`),
    v.transform((sent) => sent === 'true'),
    v.metadata(shown({ type: 'boolean' })),
  );

const UUID: JsonSchema = { type: 'string', format: 'uuid' };

const DATE: JsonSchema = {
  type: 'string',
  description: 'A date, or a date with time and offset (ISO 8601).',
};

/** Any text that can be stored, including an empty one. */
export const text: Parameter<string> = textBy({ type: 'string' }, (sent) => {
  const reason = unstorableReason(sent);
  return reason === null ? ok(sent) : err(reason);
});

export const uuid: Parameter<string> = textBy(UUID, (sent) =>
  isUuid(sent) ? ok(sent.toLowerCase()) : err('must be a UUID'),
);

export function idOf<K extends string>(): Parameter<Id<K>> {
  return textBy(UUID, (sent) => {
    const id = parseId<K>(sent);
    return id === null ? err('must be a UUID') : ok(id);
  });
}

export const firstInstant: Parameter<EpochMs> = textBy(DATE, (sent) => {
  const date = parseDate(sent);
  return date.ok ? ok(withinYears(date.value.epochMs)) : date;
});

/** A date without a time means its whole UTC day. */
export const lastInstant: Parameter<EpochMs> = textBy(DATE, (sent) => {
  const date = parseDate(sent);
  if (!date.ok) return date;
  const { kind, epochMs } = date.value;
  return ok(withinYears(kind === 'date' ? epochMs + DAY_MS - 1 : epochMs));
});

/** For a `read` whose messages name the parameter. */
export function readBy<T>(read: (sent: string | undefined) => Result<T, string>): Parameter<T> {
  return (name) => v.pipe(v.optional(single(name)), transformBy(read), v.metadata(shown({ type: 'string' })));
}

/** Puts the parameter's name before the messages of `read`. */
export function textBy<T>(jsonSchema: JsonSchema, read: (sent: string) => Result<T, string>): Parameter<T> {
  return (name) => v.pipe(single(name), transformBy(read, `${name} `), v.metadata(shown(jsonSchema)));
}

function single(name: string) {
  return v.string(({ input }) =>
    input === undefined ? `${name} is required` : `${name} appears more than once with different values`,
  );
}

function transformBy<I, T>(read: (input: I) => Result<T, string>, prefix = '') {
  return v.rawTransform<I, T>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value);
    if (value.ok) return value.value;
    addIssue({ message: `${prefix}${value.error}` });
    return NEVER;
  });
}

const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** A UTC offset can move an instant out of the years 1 to 9999, the only ones that the database takes. */
function withinYears(instant: EpochMs): EpochMs {
  return Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
}
