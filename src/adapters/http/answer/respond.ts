/**
 * Builds every answer of the API. Headers are plain objects, which the Node adapter writes without building `Headers`.
 */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { presentAgentFault } from '#adapters/http/inventory/present-agent.ts';
import type { PageAnswer } from '#adapters/http/pages.ts';
import type { Result } from '#domain/result.ts';
import { headersOf, PROBLEM_MEDIA_TYPE, type Problem, presentProblem, statusOf } from './problem-status.ts';

/**
 * `Access-Control-Allow-Origin` is absent, so browsers keep other origins out. HSTS is left to the proxy that
 * terminates TLS.
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export type ExtraHeaders = Readonly<Record<string, string>>;

export function respondJson(c: HttpContext, status: number, json: string, headers?: ExtraHeaders): Response {
  return respond(c, status, json, { 'Content-Type': 'application/json', ...headers });
}

/**
 * Answers 200 in pieces, each made when the client can take it. A short answer is sent whole. An error before
 * the first bytes is rethrown; a later one cuts the answer off.
 */
export async function respondPieces(
  c: HttpContext,
  pieces: AsyncGenerator<string>,
  headers: ExtraHeaders,
): Promise<Response> {
  const first = await gather(pieces);
  if (first.isLast) return respond(c, 200, first.text, headers);
  let next: Gathered | undefined = first;
  const take = async (): Promise<Gathered> => {
    const taken = next ?? (await gather(pieces));
    next = undefined;
    return taken;
  };
  return respond(c, 200, streamOf(c, take, pieces), headers);
}

/** Sends each event as soon as it is ready. Events must not be empty. */
export function respondEvents(c: HttpContext, events: AsyncGenerator<string>): Response {
  const take = async (): Promise<Gathered> => {
    const event = await events.next();
    return event.done === true ? { text: '', isLast: true } : { text: event.value, isLast: false };
  };
  // Without `X-Accel-Buffering`, proxies such as nginx would hold events back.
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
  return respond(c, 200, streamOf(c, take, events), headers);
}

function streamOf(
  c: HttpContext,
  take: () => Promise<Gathered>,
  source: AsyncGenerator<string>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { text, isLast } = await take();
          controller.enqueue(Buffer.from(text));
          if (isLast) controller.close();
        } catch (error) {
          c.get('reportCutOff')(c.req.raw.signal.aborted ? null : error);
          // With `controller.error`, the Node adapter would write the error's message into the answer.
          if (c.env.outgoing === undefined) controller.error(error);
          else c.env.outgoing.destroy();
        }
      },
      cancel: async () => {
        c.get('reportCutOff')(null);
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

interface Gathered {
  readonly text: string;
  readonly isLast: boolean;
}

/** In UTF-16 code units. */
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

export function respondResult<T>(
  c: HttpContext,
  result: Result<T, Problem>,
  present: (value: T) => string,
  status = 200,
): Response {
  return result.ok ? respondJson(c, status, present(result.value)) : respondProblem(c, result.error);
}

export function respondDone(c: HttpContext, result: Result<void, Problem>): Response {
  return result.ok ? respondEmpty(c, 204, {}) : respondProblem(c, result.error);
}

export function respondRedirect(c: HttpContext, location: string, headers: ExtraHeaders): Response {
  return respond(c, 302, null, { Location: location, ...headers });
}

export function respondEmpty(c: HttpContext, status: 202 | 204 | 304, headers: ExtraHeaders): Response {
  return respond(c, status, null, headers);
}

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

/** In UTF-16 code units. A stream counts as the size of its buffers, however long it is. */
export function answerLength(response: Response): number {
  return lengths.get(response) ?? STREAM_BUFFERS_LENGTH;
}

const lengths = new WeakMap<Response, number>();

/** Also counted for answers without a body, although they need less. */
const STREAM_BUFFERS_LENGTH = 131_072;
