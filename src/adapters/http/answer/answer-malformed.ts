/**
 * Answers requests that are too broken, too large or too slow to reach the application, with a problem document and
 * a request id like every other answer (Contract: §1).
 */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import { PROBLEM_MEDIA_TYPE, type Problem, presentProblem, statusOf } from './problem-status.ts';
import { SECURITY_HEADERS } from './respond.ts';

/** A server's socket with the response in progress, which Node keeps there for its own use as well. */
export type ServerSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Answers requests that Node's parser or timeouts rejected, and closes the socket. */
export function answerClientError(error: Error & { readonly code?: string }, socket: ServerSocket): void {
  const current = socket._httpMessage;
  const isMidAnswer = current?.headersSent && !current.writableEnded;
  // Nothing may be mixed into a half-written answer, and a client that has left reads nothing.
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

/** Answers requests whose URL or host cannot become a `Request`. Any other error here is a failure of the service. */
export function answerRequestError(error?: unknown): Response {
  const isMalformed = error === undefined || error instanceof RequestError;
  const { status, headers, body } = describe(isMalformed ? BAD_REQUEST : INTERNAL);
  return new Response(body, { status, headers });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function describe(problem: Problem): Answer {
  const requestId = randomUUID();
  return {
    status: statusOf(problem.code),
    headers: { ...SECURITY_HEADERS, 'X-Request-Id': requestId, 'Content-Type': PROBLEM_MEDIA_TYPE },
    body: presentProblem(problem, requestId),
  };
}

const BAD_REQUEST: Problem = { code: 'bad_request', detail: 'This is not a well-formed HTTP request.' };

const INTERNAL: Problem = { code: 'internal', detail: 'Something went wrong on our side.' };

/** By the code of Node's error; any other code means a malformed request. */
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
