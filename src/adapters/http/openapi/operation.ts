/** What the OpenAPI document says of a route; each area has a table of its operations (Contract: §15). */
import type * as v from 'valibot';
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';
import { exampleOf } from '#adapters/http/common-shapes.ts';
import type { POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import type { QuerySchema } from '#adapters/http/read/read-query.ts';

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

type Tag = keyof typeof TAGS;

/**
 * Who may send the request. A visitor has no credential and is counted by address, a browser has the session cookie, a
 * caller an access token or an API key. A machine has an enrolment key, and reads the answers of the agents' protocol.
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
  readonly query?: QuerySchema<unknown>;
  readonly conditional?: ConditionalHeader;
  readonly body?: DescribedBody;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Problems beyond those that follow from the rest of the operation; see `problemsOf`. */
  readonly problems?: readonly ProblemCode[];
}

/** By method and path, as they are registered. */
export type Operations = Readonly<Record<string, Operation>>;

/** Operations of one tag; unless one says otherwise, their asker is a caller. */
export function operations(
  tag: Tag,
  table: Readonly<Record<string, Omit<Operation, 'tag' | 'asker'> & { readonly asker?: Asker }>>,
): Operations {
  return Object.fromEntries(
    Object.entries(table).map(([route, operation]) => [route, { asker: 'caller', ...operation, tag }]),
  );
}

export type ConditionalHeader = 'If-Match' | 'If-None-Match';

export interface DescribedBody {
  readonly schema: v.GenericSchema;
  readonly example: unknown;
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

interface AnswerContent {
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

/** A body in JSON. The example is made of those of its members, unless they exclude each other. */
export function body<const S extends v.GenericSchema>(schema: S, example?: v.InferInput<S>): DescribedBody {
  return { schema, example: example ?? exampleOf(schema) };
}

/** An answer in JSON. */
export function json(
  description: string,
  schema: v.GenericSchema,
  headers: readonly AnswerHeader[] = [],
): DescribedAnswer {
  return { description, content: { 'application/json': { schema, example: exampleOf(schema) } }, headers };
}

/** An answer without a body. */
export function empty(description: string, headers: readonly AnswerHeader[] = []): DescribedAnswer {
  return { description, headers };
}
