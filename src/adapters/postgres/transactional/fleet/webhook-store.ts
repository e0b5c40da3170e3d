/** Row-level security and each statement limit deliveries to subscriptions in reach. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { SubscriptionRow } from '#adapters/postgres/transactional/entities/subscription-row.ts';
import {
  toDelivery,
  toDeliveryRow,
  WebhookDeliveryRow,
} from '#adapters/postgres/transactional/entities/webhook-delivery-row.ts';
import { type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import {
  formerSecretPlace,
  webhookSecretPlace,
} from '#adapters/postgres/transactional/secrets/sealing-keys.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { WebhookReader, WebhookWriter } from '#application/ports/live/webhook-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import { KEPT_DELIVERIES } from '#domain/membership/webhook-delivery.ts';

const NEWEST_FIRST = { id: 'desc' } as const;
const OLDEST_FIRST = { id: 'asc' } as const;

export function makeWebhookReader(orm: Orm): WebhookReader {
  return {
    deliveries: (scope, subscriptionId) =>
      orm.withScope(scope, async (em) => {
        if (!(await isReached(em, scope, subscriptionId))) return [];
        const options = { orderBy: NEWEST_FIRST, limit: KEPT_DELIVERIES };
        return (await em.find(WebhookDeliveryRow, { subscriptionId }, options)).map(toDelivery);
      }),
  };
}

async function isReached(em: EntityManager, scope: AccessScope, id: SubscriptionId): Promise<boolean> {
  return (await em.count(SubscriptionRow, { id, ...withinReach(scope) })) === 1;
}

export function webhookWriter(
  em: EntityManager,
  scope: AccessScope,
  secrets: Pick<SecretsAtRest, 'seal' | 'open'>,
): WebhookWriter {
  const findOne = async (subscriptionId: SubscriptionId, where: object) => {
    if (!(await isReached(em, scope, subscriptionId))) return null;
    const options = { orderBy: OLDEST_FIRST, refresh: true };
    const row = await em.findOne(WebhookDeliveryRow, { subscriptionId, ...where }, options);
    return row === null ? null : toDelivery(row);
  };
  const secretsOf = async (id: SubscriptionId): Promise<SecretColumns | null> => {
    if (!(await isReached(em, scope, id))) return null;
    const [row] = await em.execute<SecretColumns[]>(SECRETS, [id]);
    return row ?? null;
  };
  const assertReached = async (id: SubscriptionId) => {
    if (!(await isReached(em, scope, id))) throw new Error(`there is no subscription ${id}`);
  };
  return {
    secrets: async (id, now) => {
      const { secret, former, until } = (await secretsOf(id)) ?? {};
      const opened = secret ? [secrets.open(secret, webhookSecretPlace(id))] : [];
      if (!former || now >= Number(until)) return opened;
      return [...opened, secrets.open(former, formerSecretPlace(id))];
    },
    setSecret: async (id, secret, formerUntil) => {
      await em.flush();
      await assertReached(id);
      const { secret: current } = (await secretsOf(id)) ?? {};
      const former = current
        ? secrets.seal(secrets.open(current, webhookSecretPlace(id)), formerSecretPlace(id))
        : null;
      const sealed = secrets.seal(secret, webhookSecretPlace(id));
      await em.execute(SET_SECRET, [sealed, former, former === null ? null : new Date(formerUntil), id]);
    },
    next: (id) => findOne(id, { status: 'pending', position: { $ne: null } }),
    requested: (id) => findOne(id, { isRequested: true }),
    find: (id, deliveryId) => findOne(id, { id: deliveryId }),
    add: async (delivery) => {
      await assertReached(delivery.subscriptionId);
      await em.insert(WebhookDeliveryRow, toDeliveryRow(delivery));
      await em.execute(FORGET, [delivery.subscriptionId, delivery.subscriptionId]);
    },
    replace: async (delivery) => {
      await assertReached(delivery.subscriptionId);
      const { id, subscriptionId, ...columns } = toDeliveryRow(delivery);
      const count = await em.nativeUpdate(WebhookDeliveryRow, { id, subscriptionId }, columns);
      if (count !== 1) throw new Error(`there is no delivery ${id}`);
    },
    request: async (subscriptionId, id) => {
      await assertReached(subscriptionId);
      // This update changes nothing, but it is refused while the partner is under maintenance.
      await em.execute(TOUCH, [subscriptionId]);
      const count = await em.nativeUpdate(WebhookDeliveryRow, { id, subscriptionId }, { isRequested: true });
      if (count !== 1) throw new Error(`there is no delivery ${id}`);
    },
  };
}

interface SecretColumns {
  readonly secret: string | null;
  readonly former: string | null;
  /** In epoch milliseconds. */
  readonly until: number | null;
}

const SECRETS = `
  select secret, former_secret as former, (extract(epoch from former_secret_until) * 1000)::float8 as until
  from subscription where id = ?`;

const SET_SECRET = `
  update subscription set secret = ?, former_secret = ?, former_secret_until = ? where id = ?`;

const TOUCH = 'update subscription set state = state where id = ?';

const FORGET = `
  delete from webhook_delivery
  where subscription_id = ? and status <> 'pending' and not is_requested and id < (
    select id from webhook_delivery where subscription_id = ? order by id desc offset ${KEPT_DELIVERIES - 1} limit 1)`;
