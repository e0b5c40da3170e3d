/**
 * Makes every answer of the API, so that none lacks its request id and security headers. The headers are one plain
 * object, which the Node adapter writes without building a `Headers` from it.
 */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { presentAgentFault } from '#adapters/http/inventory/present-agent.ts';
import type { PageAnswer } from '#adapters/http/pages.ts';
import type { Result } from '#domain/result.ts';
import { headersOf, PROBLEM_MEDIA_TYPE, type Problem, presentProblem, statusOf } from './problem-status.ts';

/**
 * On every answer. Without `Access-Control-Allow-Origin`, other origins are kept out. HSTS is left to whatever
 * terminates TLS: browsers ignore it over plain HTTP.
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Headers in addition to those of every answer, by name. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Answers with JSON text. `headers` override the usual ones. */
export function respondJson(c: HttpContext, status: number, json: string, headers?: ExtraHeaders): Response {
  return respond(c, status, json, { 'Content-Type': 'application/json', ...headers });
}

/** Answers 200 with JSON text as {@link respondPieces} does. */
export function respondJsonPieces(c: HttpContext, pieces: AsyncGenerator<string>): Promise<Response> {
  return respondPieces(c, pieces, { 'Content-Type': 'application/json' });
}

/**
 * Answers 200 with text that comes in pieces, made as the client takes them, so that an answer of any length needs the
 * memory of a few pieces. A short one is sent whole. An error before the first bytes are sent is thrown; after that,
 * it cuts the answer off.
 */
export async function respondPieces(
  c: HttpContext,
  pieces: AsyncGenerator<string>,
  headers: ExtraHeaders,
): Promise<Response> {
  const first = await gather(pieces);
  if (first.isLast) return respond(c, 200, first.text, headers);
  let next: Gathered | undefined = first;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { text, isLast }: Gathered = next ?? (await gather(pieces));
          next = undefined;
          controller.enqueue(Buffer.from(text));
          if (isLast) controller.close();
        } catch (error) {
          c.get('reportCutOff')(c.req.raw.signal.aborted ? null : error);
          // The Node adapter would write the message of an error into the answer.
          if (c.env.outgoing === undefined) controller.error(error);
          else c.env.outgoing.destroy();
        }
      },
      cancel: async () => {
        c.get('reportCutOff')(null);
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return respond(c, 200, body, headers);
}

interface Gathered {
  readonly text: string;
  /** Whether there are no pieces left. */
  readonly isLast: boolean;
}

/** The least that is sent at a time, in UTF-16 code units. */
const CHUNK_LENGTH = 64 * 1024;

async function gather(pieces: AsyncIterator<string>): Promise<Gathered> {
  let text = '';
  while (text.length < CHUNK_LENGTH) {
    const piece = await pieces.next();
    if (piece.done === true) return { text, isLast: true };
    text += piece.value;
  }
  return { text, isLast: false };
}

/** Answers with the value as JSON text, or with the error as a problem document. */
export function respondResult<T>(
  c: HttpContext,
  result: Result<T, Problem>,
  present: (value: T) => string,
  status = 200,
): Response {
  return result.ok ? respondJson(c, status, present(result.value)) : respondProblem(c, result.error);
}

/** Answers 204, or with the error as a problem document. */
export function respondDone(c: HttpContext, result: Result<void, Problem>): Response {
  return result.ok ? respondEmpty(c, 204, {}) : respondProblem(c, result.error);
}

/** Answers without a body: 204 and 304. */
export function respondEmpty(c: HttpContext, status: 204 | 304, headers: ExtraHeaders): Response {
  return respond(c, status, null, headers);
}

/** Answers with a problem document; to agents, as they read it. */
export function respondProblem(c: HttpContext, problem: Problem, headers?: ExtraHeaders): Response {
  if (c.get('isAgent') === true) {
    const all = { ...headersOf(problem), ...headers };
    return respondJson(c, statusOf(problem.code), presentAgentFault(problem), all);
  }
  return respond(c, statusOf(problem.code), presentProblem(problem, c.get('requestId')), {
    'Content-Type': PROBLEM_MEDIA_TYPE,
    ...headersOf(problem),
    ...headers,
  });
}

/** Answers with a page, whose own policy takes the place of the API's. */
export function respondPage(c: HttpContext, { status, body, headers }: PageAnswer): Response {
  return respond(c, status, body, { ...headers, 'Content-Length': String(body.byteLength) });
}

function respond(
  c: HttpContext,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  headers: ExtraHeaders,
): Response {
  const response = new Response(body, {
    status,
    headers: { ...SECURITY_HEADERS, 'X-Request-Id': c.get('requestId'), ...headers },
  });
  if (typeof body === 'string') lengths.set(response, body.length);
  return response;
}

/** How long the answer's body is, in UTF-16 code units; that of a stream counts as its buffers. */
export function answerLength(response: Response): number {
  return lengths.get(response) ?? STREAM_BUFFERS_LENGTH;
}

const lengths = new WeakMap<Response, number>();

/** Of a stream, and more than enough for an answer without a body. */
const STREAM_BUFFERS_LENGTH = 131_072;
