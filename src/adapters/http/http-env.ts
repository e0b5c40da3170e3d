/** What a request carries through the middleware to its handler. */
import type { HttpBindings } from '@hono/node-server';
import type { HonoRequest } from 'hono';
import type { Call } from '#application/call.ts';

/** The environment of every route. */
export interface HttpEnv {
  /** Node's own request and response; absent if the request came without a socket (`app.request()`). */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Identifies the request in the answer, the logs and the audit log. */
    requestId: string;
    /** Logs why an answer ended early, whose status was sent before; null: its client has gone. Once is enough. */
    reportCutOff: (error: unknown) => void;
    /** Set once the caller is known. */
    call?: Call;
    /** Whether answers go to an agent, which reads no problem documents. */
    isAgent?: boolean;
  };
}

/** The environment of routes behind `authenticate`. */
export interface AuthenticatedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { call: Call };
}

/** The part of a context that reading and answering a request needs, in whatever environment. */
export interface HttpContext {
  readonly req: HonoRequest;
  readonly env: Partial<HttpBindings>;
  get(key: 'requestId'): string;
  get(key: 'isAgent'): boolean | undefined;
  get(key: 'reportCutOff'): HttpEnv['Variables']['reportCutOff'];
}
