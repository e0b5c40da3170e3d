/** Requests that need no credential, such as signing in. */
import type { MiddlewareHandler } from 'hono';
import type { Admission } from '#adapters/http/admission/admit-requests.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { Visit } from '#application/call.ts';
import type { FindClientAddress } from './client-address.ts';
import { MAX_PUBLIC_BODY_BYTES } from './read-body.ts';

export interface Visitors {
  /** The facts of a request that are recorded, whoever sent it. */
  visitOf(c: HttpContext): Visit;
  /** Middleware: admits the request by its address, or answers 429. */
  readonly admitVisitor: MiddlewareHandler<HttpEnv>;
}

export interface VisitorsDeps {
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
}

export function makeVisitors({ findClientAddress, admission }: VisitorsDeps): Visitors {
  return {
    visitOf: (c) => ({
      requestId: c.get('requestId'),
      ip: findClientAddress(c),
      userAgent: c.req.raw.headers.get('user-agent'),
    }),
    admitVisitor: (c, next) => admission.admitVisitor(c, findClientAddress(c), MAX_PUBLIC_BODY_BYTES, next),
  };
}
