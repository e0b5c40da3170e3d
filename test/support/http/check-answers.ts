/**
 * Checks the requests and answers of an application against the OpenAPI document: the status, media type, headers and
 * body of every answer, and the body of every granted request. A difference throws, which fails the test.
 */
import type { Hono } from 'hono';
import { PROBLEM_MEDIA_TYPE } from '#adapters/http/answer/problem-status.ts';
import { answerLength } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { type OpenApiChecks, openApiChecks, type ShownOperation } from './openapi-checks.ts';

export interface CheckOptions {
  /** Whether the use cases are fakes, which grant any request and refuse as the test wants. */
  readonly hasStandIns?: boolean;
}

/** Makes the application check all further requests, and returns it. */
export function checkAnswers<App extends Hono<HttpEnv>>(
  app: App,
  { hasStandIns = false }: CheckOptions = {},
): App {
  const fetch = app.fetch;
  // Compiled now, so that no request has to wait for it.
  const checks = openApiChecks();
  app.fetch = async (request, env, ...rest) => {
    const sent = request.method === 'GET' || hasStandIns ? '' : await textOf(request, env);
    const response = await fetch(request, env, ...rest);
    try {
      await check(checks, request, app.getPath(request), sent, response, hasStandIns);
    } catch (error) {
      // Over a socket, the caller would only see status 500, so an unhandled rejection fails the run.
      if (env !== undefined && 'incoming' in env) void Promise.reject(error);
      throw error;
    }
    return response;
  };
  return app;
}

/** Empty if reading would consume the body: over a socket, and for streams. */
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
  // The client has gone, so the document does not describe the answer.
  if (response.status === 499) return;
  const operation = checks.find(method, path);
  const name = `${request.method} ${path}: ${response.status}`;
  if (operation === null) {
    // The pages of the console are not part of the API.
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

/** The statuses of unknown paths and methods, of OPTIONS, and of refusals before routing. */
const UNROUTED: ReadonlySet<number> = new Set([204, 400, 404, 405, 500, 503]);

function checkRequest(operation: ShownOperation, name: string, status: number, sent: string): void {
  if (status >= 300 || sent === '' || sent.length > MAX_CHECKED_LENGTH) return;
  const body: unknown = JSON.parse(sent.replace(/^\ufeff/, ''));
  // The orgId of a caller with a single organization is ignored, so it may be anything.
  if (isShallow(body)) operation.checkBody(name, { ...(body as object), orgId: undefined });
}

/** The body as JSON or text; undefined if there is none, or if it can be read only once. */
async function bodyOf(request: Request, response: Response): Promise<unknown> {
  const length = answerLength(response);
  const isStream = length === answerLength(new Response());
  // In this order, because after access to the body the Node adapter writes the answer in another way.
  if (request.method === 'HEAD' || isStream || length > MAX_CHECKED_LENGTH) return undefined;
  if (response.body === null) return undefined;
  const text = await response.clone().text();
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return text;
  const body: unknown = JSON.parse(text);
  return isShallow(body) ? body : undefined;
}

/** Longer bodies would take noticeably long to check. In UTF-16 code units. */
const MAX_CHECKED_LENGTH = 100_000;

/** The validator recurses, and would fail on deep filters. */
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
