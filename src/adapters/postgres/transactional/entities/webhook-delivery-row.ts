import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import type { DeliveryStatus, WebhookDelivery } from '#domain/membership/webhook-delivery.ts';

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDeliveryRow',
  tableName: 'webhook_delivery',
  properties: {
    id: p.uuid().$type<DeliveryId>().primary(),
    subscriptionId: p.uuid().$type<SubscriptionId>(),
    fromCursor: p.text().strictNullable(),
    toCursor: p.text().strictNullable(),
    position: p.bigint('number').strictNullable(),
    body: p.text(),
    status: p.text().$type<DeliveryStatus>(),
    at: p.datetime(3),
    httpStatus: p.integer().strictNullable(),
    durationMs: p.integer().strictNullable(),
    error: p.text().strictNullable(),
    isRequested: p.boolean(),
  },
});

export class WebhookDeliveryRow extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDeliveryRow);

export function toDelivery(row: WebhookDeliveryRow): WebhookDelivery {
  const { id, subscriptionId, fromCursor: from, toCursor: to, position } = row;
  const { body, status, at, httpStatus, durationMs, error } = row;
  return {
    id,
    subscriptionId,
    told: from === null || to === null || position === null ? null : { from, to, position },
    ...{ body, status, httpStatus, durationMs, error },
    at: at.getTime(),
  };
}

export function toDeliveryRow({ told, at, ...same }: WebhookDelivery) {
  return {
    ...same,
    fromCursor: told?.from ?? null,
    toCursor: told?.to ?? null,
    position: told?.position ?? null,
    at: new Date(at),
    isRequested: false,
  };
}
