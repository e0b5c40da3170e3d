/** What the OpenAPI document says about each route (Contract: §15). */
import type * as v from 'valibot';
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';
import { exampleOf } from '#adapters/http/common-shapes.ts';
import type { POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import type { QuerySchema } from '#adapters/http/read/read-query.ts';

export const TAGS = {
  filters: 'Saved filters, previews, explanations, and filters as text.',
  live: 'Subscriptions to saved filters: their members, and who enters and leaves.',
  devices: 'Devices, and exports of them.',
  inventory: 'Machines that report by themselves, and scripts that report for them.',
  'custom fields': 'Definitions of the fields that organizations and partners add to devices.',
  search: 'A few letters find devices, scripts, alerts and settings pages.',
  fleet: 'Organizations, sites, alerts, scripts, patches and the summary.',
  people: 'People, and what they may do.',
  session: 'Signing in and out, sessions and the profile.',
  'second factor': 'MFA by TOTP, and recovery codes.',
  passkeys: 'Passkeys (WebAuthn) sign in without a password and without a code.',
  'API keys': 'Credentials for other programs.',
  'account deletion': 'Requests to delete accounts, and decisions on them.',
  audit: 'Who did what.',
  service: 'Health, public keys and this document.',
} as const satisfies Readonly<Record<string, string>>;

type Tag = keyof typeof TAGS;

/**
 * A `visitor` has no credential; limits apply to its address. A `machine` has an enrolment key and speaks the
 * agents' protocol.
 */
export type Asker = 'anyone' | 'visitor' | 'browser' | 'caller' | 'machine';

export interface Operation {
  readonly id: string;
  readonly tag: Tag;
  /** Without a period at the end. */
  readonly summary: string;
  /** In CommonMark. */
  readonly description?: string;
  readonly asker: Asker;
  readonly permission?: string;
  readonly needsFreshMfa?: boolean;
  readonly query?: QuerySchema<unknown>;
  readonly conditional?: ConditionalHeader;
  readonly body?: DescribedBody;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Problems that do not follow from the other members; see `problemsOf`. */
  readonly problems?: readonly ProblemCode[];
}

/** Keyed by method and registered path. */
export type Operations = Readonly<Record<string, Operation>>;

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
  readonly isOptional?: true;
  /** Media types of a binary body. */
  readonly codings?: readonly string[];
}

export interface DescribedAnswer {
  readonly description: string;
  /** Absent: the answer has no body. */
  readonly content?: Readonly<Record<string, AnswerContent>>;
  readonly headers?: readonly AnswerHeader[];
}

interface AnswerContent {
  /** Absent: the body is text. */
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

/** Pass an example if some members exclude each other. */
export function body<const S extends v.GenericSchema>(schema: S, example?: v.InferInput<S>): DescribedBody {
  return { schema, example: example ?? exampleOf(schema) };
}

export function json(
  description: string,
  schema: v.GenericSchema,
  headers: readonly AnswerHeader[] = [],
): DescribedAnswer {
  return { description, content: { 'application/json': { schema, example: exampleOf(schema) } }, headers };
}

export function empty(description: string, headers: readonly AnswerHeader[] = []): DescribedAnswer {
  return { description, headers };
}
