/** Reads a request's body: bounded, decoded strictly, and told apart by what is wrong with it (Contract: §1). */
import type { HttpContext } from '#adapters/http/http-env.ts';
import type { Problem } from '#adapters/http/present/problem.ts';
import { invalidField } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Contract: §1, `payload_too_large`. */
export const MAX_BODY_BYTES = 1_048_576;

/** Members as sent. Made by `JSON.parse`, so `__proto__` is a member like any other: read it, never spread it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The body as a JSON object. `unsupported_media_type` unless it says that it is JSON in UTF-8 (a leading byte order
 * mark is skipped), `payload_too_large`, `invalid_json` (an empty body too), `validation_failed` for JSON that is
 * not an object, `cancelled` where the client hung up half-way.
 */
export async function readJsonObject(c: HttpContext): Promise<Result<JsonObject, Problem>> {
  const mediaType = checkMediaType(c.req.raw.headers);
  if (mediaType === 'refused') return err(NOT_JSON_MEDIA_TYPE);
  const bytes = await readBytes(c);
  if (!bytes.ok) return bytes;
  if (mediaType === 'missing' && bytes.value.byteLength > 0) return err(NOT_JSON_MEDIA_TYPE);
  return parseObject(bytes.value);
}

/** Reads a body that means nothing, so that no client can send one without end. */
export async function discardBody(c: HttpContext): Promise<Result<void, Problem>> {
  const bytes = await readBytes(c);
  return bytes.ok ? ok(undefined) : bytes;
}

type MediaTypeVerdict = 'json' | 'missing' | 'refused';

function checkMediaType(headers: Headers): MediaTypeVerdict {
  const coding = headers.get('content-encoding');
  if (coding !== null && coding.toLowerCase() !== 'identity') return 'refused';
  const mediaType = headers.get('content-type');
  if (mediaType === null) return 'missing';
  return mediaType === 'application/json' || isJsonInUtf8(mediaType) ? 'json' : 'refused';
}

/** Any parameter may stand beside it, but no character set other than UTF-8. */
function isJsonInUtf8(mediaType: string): boolean {
  const [type, ...parameters] = mediaType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !parameter.startsWith('charset') || UTF_8_CHARSET.test(parameter))
  );
}

const UTF_8_CHARSET = /^charset=("?)utf-?8\1$/;

async function readBytes(c: HttpContext): Promise<Result<Uint8Array, Problem>> {
  const request = c.req.raw;
  const length = request.headers.get('content-length');
  const isChunked = request.headers.get('transfer-encoding') !== null;
  if (length !== null && Number(length) > MAX_BODY_BYTES) return err(TOO_LARGE);
  // Over a socket, a request that announces no body has none; asking the request for it is dear.
  if (length === null && !isChunked && hasSocket(c)) return ok(EMPTY);
  try {
    // Node's parser holds the client to the length it announced.
    if (length !== null && !isChunked) return checkSize(new Uint8Array(await request.arrayBuffer()));
    return await readStream(request.body);
  } catch {
    // The one thing that ends a body early is the connection.
    return err(GIVEN_UP);
  }
}

function hasSocket(c: HttpContext): boolean {
  return (c.env as typeof c.env | undefined)?.incoming !== undefined;
}

/** Reads on only as long as the limit allows; what is left the Node adapter drains or cuts off. */
async function readStream(body: ReadableStream<Uint8Array> | null): Promise<Result<Uint8Array, Problem>> {
  if (body === null) return ok(EMPTY);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ok(Buffer.concat(chunks, size));
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) return err(TOO_LARGE);
    chunks.push(value);
  }
}

function checkSize(bytes: Uint8Array): Result<Uint8Array, Problem> {
  return bytes.byteLength > MAX_BODY_BYTES ? err(TOO_LARGE) : ok(bytes);
}

function parseObject(bytes: Uint8Array): Result<JsonObject, Problem> {
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(bytes));
  } catch (error) {
    return err({ code: 'invalid_json', detail: explainSyntax(error, bytes) });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok(value as JsonObject);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return err(invalidField('', 'not_an_object', `the body must be a JSON object, not ${kind}`));
}

/** Fatal, so that a broken character is refused instead of being replaced by another. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function explainSyntax(error: unknown, bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return 'The body is empty; send a JSON object.';
  if (!(error instanceof SyntaxError)) return 'The body is not valid UTF-8.';
  // V8's own message quotes the body, which is no business of an answer that may be logged elsewhere.
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return `The body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}.`;
}

const EMPTY = new Uint8Array(0);

const TOO_LARGE: Problem = {
  code: 'payload_too_large',
  detail: `The body is larger than ${MAX_BODY_BYTES} bytes (1 MiB).`,
};

const NOT_JSON_MEDIA_TYPE: Problem = {
  code: 'unsupported_media_type',
  detail: 'Send the body as Content-Type: application/json, in UTF-8 and without a Content-Encoding.',
};

const GIVEN_UP: Problem = {
  code: 'cancelled',
  detail: 'The body did not arrive whole.',
};
