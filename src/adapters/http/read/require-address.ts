/** Refuses clients without an address, which limits and the audit log need to tell clients apart. */
import { createMiddleware } from 'hono/factory';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { FindClientAddress } from './client-address.ts';

/** Middleware: a request over a socket whose peer is unknown is 400. Calls without a socket have no address. */
export function makeRequireAddress(findClientAddress: FindClientAddress) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const hasSocket = (c.env as typeof c.env | undefined)?.incoming !== undefined;
    if (hasSocket && findClientAddress(c) === null) {
      return respondProblem(c, { code: 'bad_request', detail: 'The connection has no address.' });
    }
    return next();
  });
}
