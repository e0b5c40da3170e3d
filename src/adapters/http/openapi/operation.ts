/** What the OpenAPI document says of a route; see `all-operations.ts` (Contract: §15). */
import type * as v from 'valibot';
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';
import type { POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import type { QuerySchema } from '#adapters/http/schemas/query-schema.ts';

export const TAGS = {
  filters: 'Saved filters, previews, explanations, and filters as text.',
  devices: 'Devices, and exports of them.',
  inventory: 'Machines that report by themselves, and scripts that report for them.',
  'custom fields': 'Definitions of the fields that organizations and partners add to devices.',
  search: 'A few letters find devices, scripts, alerts and settings pages.',
  fleet: 'Organizations, sites, alerts, scripts, patches and the summary.',
  session: 'Signing in and out, sessions and the profile.',
  'second factor': 'MFA by TOTP, and recovery codes.',
  'API keys': 'Credentials for other programs.',
  'account deletion': 'Asking for an account to be deleted, and deciding about it.',
  audit: 'Who did what.',
  service: 'Whether the service is well, its keys and this document.',
} as const satisfies Readonly<Record<string, string>>;

export type Tag = keyof typeof TAGS;

/**
 * Who may ask. A visitor has no credential and is counted by address; a browser has the session cookie, and a machine an
 * enrolment key, and answers that agents read.
 */
export type Asker = 'anyone' | 'visitor' | 'browser' | 'caller' | 'machine';

export interface Operation {
  /** In camel case; unique. */
  readonly id: string;
  readonly tag: Tag;
  /** A line without a full stop. */
  readonly summary: string;
  /** What the summary leaves out, in CommonMark. */
  readonly description?: string;
  readonly asker: Asker;
  /** What the caller must hold. */
  readonly permission?: string;
  readonly needsFreshMfa?: boolean;
  readonly query?: DescribedQuery;
  readonly conditional?: ConditionalHeader;
  readonly body?: DescribedBody;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Beyond those that follow from the rest of the operation; see `problemsOf`. */
  readonly problems?: readonly ProblemCode[];
}

export type ConditionalHeader = 'If-Match' | 'If-None-Match';

/** What a parameter is for, and a value that it takes, as text. */
export interface ParameterText {
  readonly description: string;
  readonly example?: string | number | boolean;
}

export interface DescribedQuery {
  readonly schema: QuerySchema<unknown>;
  readonly texts: Readonly<Record<string, ParameterText>>;
}

/** The query with a text for each of its parameters. */
export function describeQuery<S extends QuerySchema<unknown>>(
  schema: S,
  texts: { readonly [Name in keyof S['entries']]: ParameterText },
): DescribedQuery {
  return { schema, texts };
}

export interface DescribedBody {
  readonly schema: v.GenericSchema;
  readonly example: object;
  /** Whether it may be left out. */
  readonly isOptional?: true;
  /** Other media types that it comes in, as bytes. */
  readonly codings?: readonly string[];
}

export interface DescribedAnswer {
  readonly description: string;
  /** None: there is no body. */
  readonly content?: Readonly<Record<string, AnswerContent>>;
  /** Beside those of every answer. */
  readonly headers?: readonly AnswerHeader[];
}

export interface AnswerContent {
  /** Absent: it is text. */
  readonly schema?: v.GenericSchema;
  readonly example: unknown;
}

export type AnswerHeader =
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'Cache-Control'
  | 'Content-Disposition'
  | typeof POSITION_HEADER;

/** An answer in JSON. */
export function json(
  description: string,
  schema: v.GenericSchema,
  example: unknown,
  headers: readonly AnswerHeader[] = [],
): DescribedAnswer {
  return { description, content: { 'application/json': { schema, example } }, headers };
}

/** An answer without a body. */
export function empty(description: string, headers: readonly AnswerHeader[] = []): DescribedAnswer {
  return { description, headers };
}
