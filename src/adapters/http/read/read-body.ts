/** Reads bodies within a size limit (Contract: §1). */
import { Readable } from 'node:stream';
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { HttpContext } from '#adapters/http/http-env.ts';
import { invalidField } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';
import { inLongTurn } from './long-work.ts';

/** Contract: §1, `payload_too_large`. */
export const MAX_BODY_BYTES = 1_048_576;

export const MAX_PUBLIC_BODY_BYTES = 16_384;

/** Parsing this much takes about a millisecond; larger bodies wait for their turn. */
const LONG_BODY_BYTES = 16_384;

/** Do not copy a `JsonObject` with `Object.assign`: a member `__proto__` would replace the prototype. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Errors: `unsupported_media_type`, `payload_too_large`, `invalid_json` (also for an empty body), `validation_failed`
 * for JSON that is not an object, `cancelled`. Skips a byte order mark.
 */
export async function readJsonObject(
  c: HttpContext,
  maxBytes = MAX_BODY_BYTES,
): Promise<Result<JsonObject, Problem>> {
  const { headers } = c.req.raw;
  const refusal = refuseMediaType(headers);
  if (refusal !== null) return err(refusal);
  const bytes = await readBytes(c, maxBytes);
  if (!bytes.ok) return bytes;
  if (!headers.has('content-type') && bytes.value.byteLength > 0) return err(NO_MEDIA_TYPE);
  return parseBody(bytes.value);
}

/** Returns the members that the shape names, unvalidated: use cases check them. */
export async function readBody<const Names extends object>(
  c: HttpContext,
  shape: { readonly entries: Names },
  maxBytes = MAX_BODY_BYTES,
): Promise<Result<{ readonly [Name in keyof Names]: unknown }, Problem>> {
  const body = await readJsonObject(c, maxBytes);
  if (!body.ok) return body;
  const names = Object.keys(shape.entries);
  const members = Object.fromEntries(names.map((name) => [name, body.value[name]]));
  return ok(members as { [Name in keyof Names]: unknown });
}

/** An empty body of any media type counts as an object without members. */
export async function readOptionalJsonObject(c: HttpContext): Promise<Result<JsonObject, Problem>> {
  const bytes = await readBytes(c, MAX_BODY_BYTES);
  if (!bytes.ok) return bytes;
  if (bytes.value.byteLength === 0) return ok({});
  const { headers } = c.req.raw;
  const refusal = headers.has('content-type') ? refuseMediaType(headers) : NO_MEDIA_TYPE;
  return refusal === null ? parseBody(bytes.value) : err(refusal);
}

/** How many bytes the body can have; 0 if it will not be read. */
export function announcedBytes(c: HttpContext, maxBytes = MAX_BODY_BYTES): number {
  const { headers, method } = c.req.raw;
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return 0;
  const length = headers.get('content-length');
  if (length === null) return headers.has('transfer-encoding') ? maxBytes : 0;
  return Number(length) > maxBytes ? 0 : Number(length);
}

/** Reads the body now; later reads return the same bytes or problem. */
export async function preloadBody(c: HttpContext, maxBytes = MAX_BODY_BYTES): Promise<void> {
  if (announcedBytes(c, maxBytes) > 0) preloaded.set(c.req.raw, await readBytes(c, maxBytes));
}

const preloaded = new WeakMap<Request, Result<Uint8Array, Problem>>();

/** Accepts a missing Content-Type, because an empty body needs none. */
function refuseMediaType(headers: Headers): Problem | null {
  const coding = headers.get('content-encoding');
  if (coding !== null && coding.toLowerCase() !== 'identity') return ENCODED;
  const mediaType = headers.get('content-type');
  if (mediaType === null || isJsonInUtf8(mediaType)) return null;
  const sent = mediaType.length > MAX_QUOTED ? `${mediaType.slice(0, MAX_QUOTED)}…` : mediaType;
  return {
    code: 'unsupported_media_type',
    detail: `Content-Type must be application/json, in UTF-8; it is ${sent}.`,
  };
}

const MAX_QUOTED = 100;

function isJsonInUtf8(mediaType: string): boolean {
  const [type, ...parameters] = mediaType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !parameter.startsWith('charset') || UTF_8_CHARSET.test(parameter))
  );
}

const UTF_8_CHARSET = /^charset=("?)utf-?8\1$/;

export async function readBytes(c: HttpContext, maxBytes: number): Promise<Result<Uint8Array, Problem>> {
  const request = c.req.raw;
  const known = preloaded.get(request);
  if (known !== undefined) return known;
  const length = request.headers.get('content-length');
  const isChunked = request.headers.get('transfer-encoding') !== null;
  if (length !== null && Number(length) > maxBytes) return err(tooLarge(maxBytes));
  const incoming: unknown = (c.env as typeof c.env | undefined)?.incoming;
  // Without either header there is no body, and touching `request.body` is slow.
  if (length === null && !isChunked && incoming !== undefined) return ok(EMPTY);
  try {
    // A host application may pass on a request whose socket it has begun to read. Then `request.body` is read instead.
    return incoming instanceof Readable && incoming.readableFlowing === null
      ? await readIncoming(incoming, maxBytes)
      : await readStream(request.body, maxBytes);
  } catch {
    // Only a lost connection ends a body early.
    return err(DISCONNECTED);
  }
}

/** If the body exceeds `maxBytes`, leaves the rest to `finishBody`. */
function readIncoming(incoming: Readable, maxBytes: number): Promise<Result<Uint8Array, Problem>> {
  if (incoming.destroyed) return Promise.resolve(err(DISCONNECTED));
  const { promise, resolve } = Promise.withResolvers<Result<Uint8Array, Problem>>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const settle = (result: Result<Uint8Array, Problem>) => {
    incoming.off('data', onData).off('end', onEnd).off('close', onClose);
    resolve(result);
  };
  const onData = (chunk: Uint8Array) => {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size <= maxBytes) return;
    incoming.pause();
    settle(err(tooLarge(maxBytes)));
  };
  const onEnd = () => settle(ok(Buffer.concat(chunks, size)));
  const onClose = () => settle(err(DISCONNECTED));
  incoming.on('data', onData).once('end', onEnd).once('close', onClose);
  return promise;
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Result<Uint8Array, Problem>> {
  if (body === null) return ok(EMPTY);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ok(Buffer.concat(chunks, size));
    size += value.byteLength;
    if (size > maxBytes) return err(tooLarge(maxBytes));
    chunks.push(value);
  }
}

async function parseBody(bytes: Uint8Array): Promise<Result<JsonObject, Problem>> {
  return bytes.byteLength < LONG_BODY_BYTES ? parseObject(bytes) : inLongTurn(() => parseObject(bytes));
}

function parseObject(bytes: Uint8Array): Result<JsonObject, Problem> {
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(bytes));
  } catch (error) {
    return err({ code: 'invalid_json', detail: explainSyntax(error, bytes) });
  }
  if (isObject(value)) return ok(value);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return err(invalidField('', 'not_an_object', `the body must be a JSON object, not ${kind}`));
}

/** Invalid UTF-8 is refused, not replaced. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function explainSyntax(error: unknown, bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return 'The body is empty; send a JSON object.';
  if (!(error instanceof SyntaxError)) return 'The body is not valid UTF-8.';
  // V8's message quotes the body, which must not end up in the client's logs.
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return `The body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}.`;
}

const EMPTY = new Uint8Array(0);

export function tooLarge(maxBytes: number): Problem {
  const size = maxBytes < MAX_BODY_BYTES ? `${maxBytes / 1_024} KiB` : `${maxBytes / MAX_BODY_BYTES} MiB`;
  return { code: 'payload_too_large', detail: `The body is larger than ${maxBytes} bytes (${size}).` };
}

const NO_MEDIA_TYPE: Problem = {
  code: 'unsupported_media_type',
  detail: 'The request has a body but no Content-Type; send Content-Type: application/json.',
};

const ENCODED: Problem = {
  code: 'unsupported_media_type',
  detail: 'Bodies with a Content-Encoding are not accepted; send the JSON uncompressed.',
};

const DISCONNECTED: Problem = {
  code: 'cancelled',
  detail: 'The connection closed before the whole body had arrived.',
};
