/** `/inventory`: where agents report, in their own protocol (Contract: §13). */
import { Hono } from 'hono';
import { respondJson, respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { NO_JOBS, presentAgentAnswer } from '#adapters/http/present/present-agent.ts';
import { type AuthenticateReporter, REPORTER_CHALLENGE } from '#adapters/http/read/authenticate-reporter.ts';
import type { FindClientAddress } from '#adapters/http/read/client-address.ts';
import { readDocumentBody } from '#adapters/http/read/read-document.ts';
import type { AnswerAgent } from '#application/inventory/answer-agent.ts';

export interface AgentRoutesDeps {
  readonly answerAgent: AnswerAgent;
  readonly authenticateReporter: AuthenticateReporter;
  readonly findClientAddress: FindClientAddress;
  /** When agents are to call again, in hours. */
  readonly inventoryExpirationHours: number;
}

/** Relative to the root: agents are given this one address. */
export function agentRoutes(deps: AgentRoutesDeps): Hono<HttpEnv> {
  const { answerAgent, authenticateReporter, findClientAddress, inventoryExpirationHours } = deps;
  const routes = new Hono<HttpEnv>();

  routes.post('/inventory', authenticateReporter, async (c) => {
    const document = await readDocumentBody(c);
    if (!document.ok) return respondProblem(c, document.error);
    const answer = await answerAgent({
      requestId: c.get('requestId'),
      ip: findClientAddress(c),
      key: c.get('enrolmentKey'),
      document: document.value,
    });
    if (answer.ok) {
      const userAgent = c.req.header('user-agent') ?? null;
      const options = { expirationHours: inventoryExpirationHours, userAgent };
      return respondJson(c, 200, presentAgentAnswer(answer.value, options));
    }
    const isChallenged = answer.error.code === 'unauthenticated';
    return respondProblem(c, answer.error, isChallenged ? REPORTER_CHALLENGE : {});
  });

  routes.get('/inventory', authenticateReporter, (c) =>
    c.req.query('action') === 'getConfig'
      ? respondJson(c, 200, NO_JOBS)
      : respondProblem(c, {
          code: 'bad_request',
          detail: 'Send inventories by POST; GET answers action=getConfig alone.',
        }),
  );

  return routes;
}
