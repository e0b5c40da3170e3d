/** A query string as a schema: its parameters by name. */
import * as v from 'valibot';
import type { Parameter } from './parameters.ts';

/** Reads what was sent by name, and gives `T`. Checks and transformations may follow in a `v.pipe`. */
export type QuerySchema<T> = v.GenericSchema<unknown, T> & { readonly entries: v.ObjectEntries };

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type SchemasOf<P extends Parameters> = { [Name in keyof P]: ReturnType<P[Name]> };

/** The schema of a query with these parameters; any other parameter is ignored. */
export function querySchema<const P extends Parameters>(parameters: P) {
  const entries = Object.entries(parameters).map(([name, parameter]) => [name, parameter(name)]);
  return v.object(Object.fromEntries(entries) as SchemasOf<P>);
}

/** The `code` of the fault that an issue stands for (Contract: §1). */
export function codeOfIssue({ type, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'value_required';
  return CODES[type] ?? 'invalid_value';
}

/** By the schema or action that found the fault. */
const CODES: Readonly<Record<string, string>> = {
  // Texts are all there is in a query, but for a parameter with several values.
  string: 'repeated_parameter',
  regex: 'out_of_range',
  min_value: 'out_of_range',
  max_value: 'out_of_range',
  partial_check: 'out_of_range',
};
