import type { HttpBindings } from '@hono/node-server';
import type { HonoRequest } from 'hono';
import type { Call } from '#application/call.ts';

export interface HttpEnv {
  /** Node's request and response; absent without a socket (`app.request()`). */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Logs why an answer was cut off. Null means that the client is gone. Only the first call counts. */
    reportCutOff: (error: unknown) => void;
    call?: Call;
    /** Ends the turn that admission granted to a visitor's request; see `Visit`. */
    endTurn?: () => void;
    /** True for requests from agents, which cannot read problem documents. */
    isAgent?: boolean;
  };
}

export interface AuthenticatedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { call: Call };
}

/** The parts of Hono's context that reading and answering need. */
export interface HttpContext {
  readonly req: HonoRequest;
  readonly env: Partial<HttpBindings>;
  get(key: 'requestId'): string;
  get(key: 'isAgent'): boolean | undefined;
  get(key: 'endTurn'): (() => void) | undefined;
  get(key: 'reportCutOff'): HttpEnv['Variables']['reportCutOff'];
}
