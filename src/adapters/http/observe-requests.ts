/** The outermost middleware: gives every request its id, answers whatever was thrown, and logs one line. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Log } from '#application/ports/log.ts';
import { traceOf } from '#application/trace-of.ts';
import { actorOf } from '#domain/audit/audit-entry.ts';
import type { HttpEnv } from './http-env.ts';
import type { AnswerThrown } from './present/answer-thrown.ts';

/** What the middleware needs. */
export interface ObserveDeps {
  readonly log: Log;
  /** 1-128 characters of `[A-Za-z0-9._-]`. */
  readonly newRequestId: () => string;
  readonly answerThrown: AnswerThrown;
}

/** The line has no header, body, query or id from the path in it, and never a filter. */
export function makeObserveRequests({ log, newRequestId, answerThrown }: ObserveDeps) {
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
    try {
      await next();
    } catch (thrown) {
      // Hono passes errors to its error handler, but rethrows whatever else can be thrown.
      c.res = answerThrown(thrown, c);
    }
    writeLine(log, c, performance.now() - startedAt);
  });
}

/** Contract: §1. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

function writeLine(log: Log, c: Context<HttpEnv>, durationMs: number): void {
  const { status } = c.res;
  const caller = c.get('call')?.caller;
  const actor = caller === undefined ? null : actorOf(caller);
  const facts = {
    requestId: c.get('requestId'),
    method: c.req.method,
    // Routes 0 and 1 are this middleware and the one behind it: if nothing came after them, no route matched.
    route: c.req.routeIndex <= 1 ? null : routePath(c),
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    actorType: actor?.type ?? null,
    actorId: actor?.id ?? null,
    orgId: caller?.scope.kind === 'organization' ? caller.scope.orgId : null,
  };
  if (status < 500) log.info(facts, 'request');
  else log.error({ ...facts, ...(c.error !== undefined && { error: describeError(c.error) }) }, 'request');
}

/**
 * Name, code and stack. The message of a database error is left out: drivers put whole statements into it, with the
 * values of the request.
 */
function describeError(error: Error): object {
  const { name, stack = '' } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const isOfDatabase = name.endsWith('Exception') || (typeof code === 'string' && SQLSTATE.test(code));
  return { name, ...(code !== undefined && { code }), stack: isOfDatabase ? traceOf(error) : stack };
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
