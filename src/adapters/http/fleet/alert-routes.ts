/** Contract: §10. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { body, json, operations } from '#adapters/http/openapi/operation.ts';
import { described, flag, idOf, oneOf, optional, text } from '#adapters/http/read/query-parameters.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { AFTER, organization, pageSize, querySchema } from '#adapters/http/read/read-query.ts';
import { ALERT_NOT_FOUND } from '#application/application-error.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { FleetRoutesDeps } from './fleet-routes.ts';
import { ALERT_CHANGE, ALERT_DETAILS, ALERT_PAGE } from './fleet-shapes.ts';
import { presentAlert, presentAlertPage } from './present-fleet.ts';

const ALERT_LIST_QUERY = querySchema({
  search: described(
    optional(text, ''),
    'Only alerts whose title or message contains this text, in any case.',
    'disk',
  ),
  status: described(optional(oneOf(ALERT_STATUSES), null), 'Only alerts in this status.', 'active'),
  severity: described(optional(oneOf(ALERT_SEVERITIES), null), 'Only alerts of this severity.', 'critical'),
  orgId: organization('Only what belongs to this organization.'),
  deviceId: described(optional(idOf<'device'>(), null), 'Only alerts about this device.'),
  count: described(optional(flag, false), 'Whether to count the alerts of all pages.', true),
  cursor: described(optional(text, null), AFTER),
  limit: pageSize,
});

export const ALERT_OPERATIONS = operations('fleet', {
  'GET /api/v1/alerts': {
    id: 'listAlerts',
    summary: 'List alerts, newest first',
    query: ALERT_LIST_QUERY,
    answers: { 200: json('A page of alerts.', ALERT_PAGE) },
    problems: ['filter_timeout', 'invalid_cursor', 'not_found'],
  },
  'GET /api/v1/alerts/:id': {
    id: 'readAlert',
    summary: 'Read an alert',
    answers: { 200: json('The alert, with its device and organization.', ALERT_DETAILS) },
  },
  'PATCH /api/v1/alerts/:id': {
    id: 'updateAlert',
    summary: 'Acknowledge or resolve an alert, or make it active again',
    permission: DEVICES_WRITE,
    body: body(ALERT_CHANGE),
    answers: { 200: json('The changed alert.', ALERT_DETAILS) },
  },
});

export function alertRoutes({
  fleet,
  respondList,
  authenticate,
}: Omit<FleetRoutesDeps, 'search'>): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/alerts', authenticate, (c) =>
    respondList(c, 'alerts', ALERT_LIST_QUERY, fleet.listAlerts, presentAlertPage),
  );

  routes.get('/alerts/:id', authenticate, async (c) => {
    const id = pathId<'alert'>(c, ALERT_NOT_FOUND);
    return respondResult(c, await fleet.readAlert(c.get('call'), id), presentAlert);
  });

  routes.patch('/alerts/:id', authenticate, async (c) => {
    const id = pathId<'alert'>(c, ALERT_NOT_FOUND);
    const change = orRefuse(await readBody(c, ALERT_CHANGE));
    return respondResult(c, await fleet.updateAlert(c.get('call'), id, change), presentAlert);
  });

  return routes;
}
