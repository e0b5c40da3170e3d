/** Subscribes to a saved filter (POST /subscriptions; Contract: §17). */
import { NOT_THE_WHOLE_PARTNER, refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  quotaExceeded,
  toValidationError,
} from '#application/application-error.ts';
import type { ActionFacts, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { parseName } from '#application/input-values.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import { parseId } from '#domain/ids.ts';
import {
  SUBSCRIPTION_KINDS,
  type Subscription,
  subscriptionQuotaExceededBy,
} from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { refuseRecipients } from './mail-recipients.ts';
import { parseSettings, type SettingsInput } from './subscription-input.ts';

/** Unchecked. */
export interface SubscriptionInput extends SettingsInput {
  readonly filterId?: unknown;
  readonly name?: unknown;
  readonly kind?: unknown;
}

export interface CreatedSubscription {
  readonly subscription: Subscription;
  /** The webhook's secret, which is never shown again. Null for other kinds. */
  readonly secret: string | null;
}

/** Needs devices:write. Errors: every fault of the input, `quota_exceeded`. */
export type CreateSubscription = (
  call: Call,
  input: SubscriptionInput,
) => Promise<Result<CreatedSubscription, ApplicationError>>;

export interface SubscriptionDeps {
  readonly filters: SavedFilterReader;
  readonly subscriptions: SubscriptionReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  /** Contract: §17, OUTBOUND_PRIVATE. */
  readonly allowsPrivate: boolean;
  readonly secrets: Pick<SecretGenerator, 'webhookSecret'>;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeCreateSubscription(deps: SubscriptionDeps): CreateSubscription {
  return async (call, input) => {
    const { scope, userId } = call.caller;
    const attempt = { action: 'subscription.created', resourceId: null } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const filterId = parseId<'filter'>(input.filterId);
    const filter = filterId === null ? null : await deps.filters.find(scope, filterId);
    if (filter !== null && !mayChangeFor(scope, ownerOfFilter(filter))) {
      return deps.deny(call, attempt, NOT_THE_WHOLE_PARTNER);
    }
    const name = parseName(input.name);
    const kind = SUBSCRIPTION_KINDS.find((each) => each === input.kind);
    const { allowsPrivate } = deps;
    const settings = parseSettings(input, null, { kind: kind ?? null, allowsPrivate });
    const unreached =
      kind === 'mail' && filter !== null ? await refuseRecipients(deps, filter, input.recipients, null) : [];
    const isComplete = name.ok && kind !== undefined && settings.ok && unreached.length === 0;
    if (!isComplete || filter === null) {
      const faults = [
        ...(filter === null ? [UNKNOWN_FILTER] : []),
        ...faultsIn({ name }),
        ...(kind === undefined ? [UNKNOWN_KIND] : []),
        ...(settings.ok ? [] : settings.error),
        ...unreached,
      ];
      return err(toValidationError(faults));
    }
    const subscription: Subscription = {
      id: deps.newId<'subscription'>(),
      ...{ orgId: filter.orgId, partnerId: filter.partnerId, filterId: filter.id },
      ...{ name: name.value, kind, state: 'active' },
      ...settings.value,
      createdBy: userId,
      createdAt: deps.clock(),
    };
    const owner = ownerOfFilter(filter);
    const secret = kind === 'webhook' ? deps.secrets.webhookSecret() : null;
    return deps.unitOfWork(scope, async (tx): Promise<Result<CreatedSubscription, ApplicationError>> => {
      const excess = subscriptionQuotaExceededBy(await tx.subscriptions.holdCount(owner), owner);
      if (excess !== null) return err(quotaExceeded(excess));
      if ((await tx.filters.findForUpdate(filter.id)) === null)
        return err(toValidationError([UNKNOWN_FILTER]));
      await tx.subscriptions.add(subscription);
      if (secret !== null) await tx.webhooks.setSecret(subscription.id, secret, subscription.createdAt);
      await tx.audit(deps.makeEntry(call, { ...attempt, ...factsOf(subscription) }));
      return ok({ subscription, secret });
    });
  };
}

const UNKNOWN_FILTER: FieldError = {
  path: 'filterId',
  code: 'unknown_filter',
  message: 'filterId must be the id of a saved filter that you have access to',
};

const UNKNOWN_KIND: FieldError = {
  path: 'kind',
  code: 'invalid_value',
  message: `kind must be ${SUBSCRIPTION_KINDS.join(', ')}`,
};

export function factsOf({ id, orgId, partnerId, filterId, name }: Subscription): Omit<ActionFacts, 'action'> {
  return { resourceId: id, orgId, partnerId, details: { filterId, name } };
}
