/** Contract: §17. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { SUBSCRIPTION_NOT_FOUND } from '#application/application-error.ts';
import type { LiveUseCases } from '#application/live/live-use-cases.ts';
import { parseId } from '#domain/ids.ts';
import { presentDeliveries, presentDelivery, presentSubscription } from './present-live.ts';

export interface WebhookRoutesDeps {
  readonly live: LiveUseCases;
  readonly authenticate: Authenticate;
}

export function webhookRoutes({ live, authenticate }: WebhookRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/subscriptions/:id/resume', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    const { from } = orRefuse(await readOptionalJsonObject(c));
    return respondResult(c, await live.resumeSubscription(c.get('call'), id, { from }), presentSubscription);
  });

  routes.post('/subscriptions/:id/secret', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    return respondResult(c, await live.renewSecret(c.get('call'), id), ({ secret }) =>
      JSON.stringify({ secret }),
    );
  });

  routes.post('/subscriptions/:id/test', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    return respondResult(c, await live.testWebhook(c.get('call'), id), presentDelivery, 202);
  });

  routes.get('/subscriptions/:id/deliveries', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    return respondResult(c, await live.listDeliveries(c.get('call'), id), presentDeliveries);
  });

  routes.post('/subscriptions/:id/deliveries/:deliveryId/redeliver', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    const deliveryId = parseId<'delivery'>(c.req.param('deliveryId'));
    return respondResult(c, await live.redeliver(c.get('call'), id, deliveryId), presentDelivery, 202);
  });

  return routes;
}
