/** The outermost middleware: request ids, thrown errors, and one log line per request. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Log } from '#application/ports/log.ts';
import { databaseWords, traceOf } from '#application/telemetry/error-words.ts';
import { actorOf } from '#domain/audit/audit-entry.ts';
import type { AnswerThrown } from './answer/answer-thrown.ts';
import type { HttpEnv } from './http-env.ts';
import type { FindClientAddress } from './read/client-address.ts';

export interface RequestFact {
  readonly method: string;
  /** The path as registered; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

export type TraceRequest = (
  request: { readonly method: string; readonly headers: Headers; readonly requestId: string },
  answer: () => Promise<RequestFact>,
) => Promise<void>;

export interface ObserveDeps {
  readonly log: Log;
  readonly findClientAddress: FindClientAddress;
  readonly noteRequest?: (fact: RequestFact) => void;
  readonly traceRequest?: TraceRequest;
  /** 1-128 characters of `[A-Za-z0-9._-]`. */
  readonly newRequestId: () => string;
  readonly answerThrown: AnswerThrown;
}

/** Log lines contain no header, body, query, filter or id from the path. */
export function makeObserveRequests(deps: ObserveDeps) {
  const { log, newRequestId, answerThrown, traceRequest } = deps;
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedAt = performance.now();
    const requestId = c.req.raw.headers.get('x-request-id');
    c.set('requestId', requestId !== null && REQUEST_ID.test(requestId) ? requestId : newRequestId());
    let isCutOff = false;
    c.set('reportCutOff', (thrown) => {
      if (isCutOff) return;
      isCutOff = true;
      const facts = { requestId: c.get('requestId'), method: c.req.method };
      if (thrown === null) {
        log.info(facts, 'answer cut off by its client');
        return;
      }
      const error = thrown instanceof Error ? describeError(thrown) : { name: typeof thrown };
      log.error({ ...facts, error }, 'answer cut off');
    });
    const answer = async (): Promise<RequestFact> => {
      try {
        await next();
      } catch (thrown) {
        // Hono passes errors to its own handler, but rethrows other thrown values.
        c.res = answerThrown(thrown, c);
      }
      return noteAnswer(deps, c, performance.now() - startedAt);
    };
    if (traceRequest === undefined || PROBES.has(c.req.path)) await answer();
    else {
      const { method } = c.req;
      await traceRequest({ method, headers: c.req.raw.headers, requestId: c.get('requestId') }, answer);
    }
  });
}

/** Contract: §1. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

function noteAnswer(
  { log, findClientAddress, noteRequest }: ObserveDeps,
  c: Context<HttpEnv>,
  durationMs: number,
): RequestFact {
  const { status } = c.res;
  const { method } = c.req;
  // Routes 0 to 2 are middleware, so an index up to 2 means that no other route matched.
  const route = c.req.routeIndex <= 2 ? null : routePath(c);
  const fact = { method, route, status, durationMs };
  noteRequest?.(fact);
  const caller = c.get('call')?.caller;
  const actor = caller === undefined ? null : actorOf(caller);
  const facts = {
    requestId: c.get('requestId'),
    method,
    route,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    actorType: actor?.type ?? null,
    actorId: actor?.id ?? null,
    orgId: caller?.scope.kind === 'organization' ? caller.scope.orgId : null,
    ip: findClientAddress(c),
  };
  if (PROBES.has(route ?? '') && status !== 500) log.debug(facts, 'request');
  else if (status < 500) log.info(facts, 'request');
  else log.error({ ...facts, ...(c.error !== undefined && { error: describeError(c.error) }) }, 'request');
  return fact;
}

/**
 * Orchestrators request these every few seconds, so they are logged only at debug level. `/readyz` logs changes of its
 * answer.
 */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Drivers add statements and their values to the message of a database error, so only PostgreSQL's own words are
 * logged.
 */
function describeError(error: Error): object {
  const { name, stack = '' } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const isOfDatabase = name.endsWith('Exception') || (typeof code === 'string' && SQLSTATE.test(code));
  const said = databaseWords(error);
  return {
    name,
    ...(code !== undefined && { code }),
    ...(said !== null && { said }),
    stack: isOfDatabase ? traceOf(error) : stack,
  };
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
