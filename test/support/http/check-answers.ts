/**
 * Holds what an application is sent and answers to the OpenAPI document: the status, media type, headers and body of
 * every answer, and the body of every request that was granted. It throws, and so fails the test, where they differ.
 */
import type { Hono } from 'hono';
import { PROBLEM_MEDIA_TYPE } from '#adapters/http/answer/problem-status.ts';
import { answerLength } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { type OpenApiChecks, openApiChecks, type ShownOperation } from './openapi-checks.ts';

export interface CheckOptions {
  /** Whether use cases are stand-ins, which grant whatever is sent and refuse with whatever a test says. */
  readonly hasStandIns?: boolean;
}

/** The application itself, which checks from now on. */
export function checkAnswers<App extends Hono<HttpEnv>>(
  app: App,
  { hasStandIns = false }: CheckOptions = {},
): App {
  const fetch = app.fetch;
  // Now, because it takes a while, in which no request should wait.
  const checks = openApiChecks();
  app.fetch = async (request, env, ...rest) => {
    const sent = request.method === 'GET' || hasStandIns ? '' : await textOf(request, env);
    const response = await fetch(request, env, ...rest);
    try {
      await check(checks, request, app.getPath(request), sent, response, hasStandIns);
    } catch (error) {
      // Over a socket, the caller would see only a failure of the service.
      if (env !== undefined && 'incoming' in env) void Promise.reject(error);
      throw error;
    }
    return response;
  };
  return app;
}

/** Checks nothing where reading would take the body from the caller: over a socket, and from streams. */
async function textOf(request: Request, env: unknown): Promise<string> {
  const isOverSocket = typeof env === 'object' && env !== null && 'incoming' in env;
  const isText = request.headers.get('content-type')?.startsWith('application/json');
  if (isOverSocket || !isText || request.body === null) return '';
  const length = Number(request.headers.get('content-length') ?? 0);
  return length > MAX_CHECKED_LENGTH ? '' : await request.clone().text();
}

async function check(
  checks: OpenApiChecks,
  request: Request,
  path: string,
  sent: string,
  response: Response,
  hasStandIns: boolean,
): Promise<void> {
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  // What nobody reads has no place in the document.
  if (response.status === 499) return;
  const operation = checks.find(method, path);
  const name = `${request.method} ${path}: ${response.status}`;
  if (operation === null) {
    // The console's pages are no part of the API.
    if (response.headers.get('content-type')?.startsWith('text/html')) return;
    if (!UNROUTED.has(response.status)) throw new Error(`${name} is answered by no route of the document`);
    if (response.status !== 204) checks.checkProblem(name, await bodyOf(request, response));
    return;
  }
  const isProblem = response.headers.get('content-type') === PROBLEM_MEDIA_TYPE;
  if (hasStandIns && isProblem && response.status < 500) {
    checks.checkProblem(name, await bodyOf(request, response));
    return;
  }
  checkRequest(operation, name, response.status, sent);
  operation.checkAnswer(name, response, await bodyOf(request, response));
}

/** No such address or method, what OPTIONS is answered, and what no request gets past. */
const UNROUTED: ReadonlySet<number> = new Set([204, 400, 404, 405, 500, 503]);

function checkRequest(operation: ShownOperation, name: string, status: number, sent: string): void {
  if (status >= 300 || sent === '' || sent.length > MAX_CHECKED_LENGTH) return;
  const body: unknown = JSON.parse(sent.replace(/^\ufeff/, ''));
  // A caller that reaches one organization may send any orgId, which is ignored.
  if (isShallow(body)) operation.checkBody(name, { ...(body as object), orgId: undefined });
}

/** The body as JSON, as text, or undefined where there is none, or none that may be read twice. */
async function bodyOf(request: Request, response: Response): Promise<unknown> {
  const length = answerLength(response);
  const isStream = length === answerLength(new Response());
  // In this order: looking at the body of an answer has the Node adapter write it in another way.
  if (request.method === 'HEAD' || isStream || length > MAX_CHECKED_LENGTH) return undefined;
  if (response.body === null) return undefined;
  const text = await response.clone().text();
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return text;
  const body: unknown = JSON.parse(text);
  return isShallow(body) ? body : undefined;
}

/** What takes so long to check that tests would feel it, in UTF-16 code units. */
const MAX_CHECKED_LENGTH = 100_000;

/** The validator recurses, which filters are too deep for. */
function isShallow(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return true;
  }
  return false;
}

const MAX_DEPTH = 200;
