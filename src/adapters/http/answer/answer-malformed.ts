/**
 * Answers requests that never reach the application: too broken, too large, too slow, or sent during the start. Each
 * answer is a problem document with a request id (Contract: §1).
 */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import { RETRY_SOON } from './answer-thrown.ts';
import { PROBLEM_MEDIA_TYPE, type Problem, presentProblem, statusOf } from './problem-status.ts';
import { type ExtraHeaders, SECURITY_HEADERS } from './respond.ts';

/** Node stores the response in progress on its socket. */
export type ServerSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Answers requests that Node's parser rejected or that timed out. */
export function answerClientError(error: Error & { readonly code?: string }, socket: ServerSocket): void {
  const current = socket._httpMessage;
  const isMidAnswer = current?.headersSent && !current.writableEnded;
  // Do not write into a half-sent answer, or to a client that has left.
  if (!socket.writable || isMidAnswer) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = describe(CLIENT_ERRORS[error.code ?? ''] ?? BAD_REQUEST);
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    () => socket.destroy(),
  );
}

/** Answers requests whose URL or host cannot become a `Request`. Any other error is answered as `internal`. */
export function answerRequestError(error?: unknown): Response {
  const isMalformed = error === undefined || error instanceof RequestError;
  return toResponse(describe(isMalformed ? BAD_REQUEST : INTERNAL));
}

/** Until the application is ready, only `/healthz` succeeds (Contract: §15). */
export function answerWhileStarting(request: Request): Response {
  if (!new URL(request.url).pathname.endsWith('/healthz')) return toResponse(describe(STARTING), RETRY_SOON);
  const body = JSON.stringify({ status: 'ok' });
  return toResponse({ status: 200, headers: headersWith('application/json'), body });
}

function toResponse({ status, headers, body }: Answer, more?: ExtraHeaders): Response {
  return new Response(body, { status, headers: { ...headers, ...more } });
}

interface Answer {
  readonly status: number;
  readonly headers: ExtraHeaders;
  readonly body: string;
}

function describe(problem: Problem): Answer {
  const requestId = randomUUID();
  return {
    status: statusOf(problem.code),
    headers: headersWith(PROBLEM_MEDIA_TYPE, requestId),
    body: presentProblem(problem, requestId),
  };
}

function headersWith(mediaType: string, requestId: string = randomUUID()): ExtraHeaders {
  return { ...SECURITY_HEADERS, 'X-Request-Id': requestId, 'Content-Type': mediaType };
}

const STARTING: Problem = { code: 'unavailable', detail: 'The service is starting; try again shortly.' };

export const BAD_REQUEST: Problem = {
  code: 'bad_request',
  detail: 'This is not a well-formed HTTP request.',
};

const INTERNAL: Problem = { code: 'internal', detail: 'Something went wrong on our side.' };

/** Keyed by Node's error code. Any other code means a malformed request. */
const CLIENT_ERRORS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'header_fields_too_large',
    detail: 'The request line and headers are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'payload_too_large',
    detail: 'The chunk extensions are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    detail: 'The request took too long to arrive.',
  },
};
