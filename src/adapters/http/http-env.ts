/** The environment of middleware and handlers. */
import type { HttpBindings } from '@hono/node-server';
import type { HonoRequest } from 'hono';
import type { Call } from '#application/call.ts';

export interface HttpEnv {
  /** Node's request and response; absent without a socket (`app.request()`). */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** In the answer, the logs and the audit log. */
    requestId: string;
    /** Logs why an answer broke off after its status was sent; null: the client is gone. Only the first call counts. */
    reportCutOff: (error: unknown) => void;
    /** Set once the caller is known. */
    call?: Call;
    /** Ends the turn of a visitor's request; see `Visit`. */
    endTurn?: () => void;
    /** Agents do not read problem documents. */
    isAgent?: boolean;
  };
}

/** The environment of routes behind `authenticate`. */
export interface AuthenticatedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { call: Call };
}

/** The part of a context that reading and answering needs, in any environment. */
export interface HttpContext {
  readonly req: HonoRequest;
  readonly env: Partial<HttpBindings>;
  get(key: 'requestId'): string;
  get(key: 'isAgent'): boolean | undefined;
  get(key: 'endTurn'): (() => void) | undefined;
  get(key: 'reportCutOff'): HttpEnv['Variables']['reportCutOff'];
}
