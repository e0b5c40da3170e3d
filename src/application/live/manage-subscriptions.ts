/** Subscribes to a saved filter (POST /subscriptions; Contract: §17). */
import { NOT_THE_WHOLE_PARTNER, refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  quotaExceeded,
  SUBSCRIPTION_NOT_FOUND,
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
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type Attribution, mayChangeFor } from '#domain/access/ownership.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import { type FilterId, parseId, type SubscriptionId } from '#domain/ids.ts';
import {
  CHOSEN_STATES,
  reviseSubscription,
  SUBSCRIPTION_KINDS,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionSettings,
  subscriptionQuotaExceededBy,
} from '#domain/membership/subscription.ts';
import { startAt } from '#domain/membership/webhook-delivery.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { holdRecipients } from './mail-recipients.ts';
import { parseRecipients, parseSettings, type SettingsInput } from './subscription-input.ts';

/** Unchecked. */
export interface SubscriptionInput extends SettingsInput {
  readonly filterId?: unknown;
  readonly name?: unknown;
  readonly kind?: unknown;
}

export interface CreatedSubscription {
  readonly subscription: Subscription;
  /** Of a webhook, shown this once. */
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

/** A person who was a recipient before may stay one, and gets no mail without reaching the filter. */
async function refuseRecipients(
  { unitOfWork }: Pick<SubscriptionDeps, 'unitOfWork'>,
  owner: Attribution,
  sent: unknown,
  known: Subscription | null,
): Promise<readonly FieldError[]> {
  const parsed = parseRecipients(sent);
  if (!parsed.ok) return [];
  const added = parsed.value.filter((id) => !known?.recipients?.includes(id));
  if (added.length === 0) return [];
  const held = await unitOfWork(SYSTEM_SCOPE, (tx) => holdRecipients(tx, owner, added));
  const reaching = new Set(held.map(({ userId }) => userId));
  return added
    .filter((id) => !reaching.has(id))
    .map((id) => ({
      ...{ path: 'recipients', code: 'unknown_user' },
      message: `recipients has ${id}, which must be the id of an active person who reaches the filter`,
    }));
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

// Reads subscriptions (GET /subscriptions, GET /subscriptions/:id; Contract: §17).

/** Error: `not_found`, also if it is out of reach. */
export type ReadSubscription = (
  call: Call,
  id: SubscriptionId,
) => Promise<Result<Subscription, ApplicationError>>;

export function makeReadSubscription({
  subscriptions,
}: Pick<SubscriptionDeps, 'subscriptions'>): ReadSubscription {
  return async (call, id) => {
    const found = await subscriptions.find(call.caller.scope, id);
    return found === null ? err(SUBSCRIPTION_NOT_FOUND) : ok(found);
  };
}

/** Those in reach, newest first; null: of all filters. */
export type ListSubscriptions = (call: Call, filterId: FilterId | null) => Promise<readonly Subscription[]>;

export function makeListSubscriptions({
  subscriptions,
}: Pick<SubscriptionDeps, 'subscriptions'>): ListSubscriptions {
  return (call, filterId) => subscriptions.list(call.caller.scope, filterId);
}

// Changes name, settings or state (PATCH /subscriptions/:id; Contract: §17).

/** Unchecked; undefined members stay unchanged. Fixed members may be sent unchanged. */
export interface SubscriptionChangeInput extends SubscriptionInput {
  readonly state?: unknown;
}

/** Needs devices:write. Errors: every fault of the input, `not_found`, `conflict` if it has ended. */
export type UpdateSubscription = (
  call: Call,
  id: SubscriptionId,
  input: SubscriptionChangeInput,
) => Promise<Result<Subscription, ApplicationError>>;

export function makeUpdateSubscription(deps: SubscriptionDeps): UpdateSubscription {
  return async (call, id, input) => {
    const attempt = { action: 'subscription.updated', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const known = await deps.subscriptions.find(call.caller.scope, id);
    if (known === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND);
    const unreached =
      known.kind === 'mail' ? await refuseRecipients(deps, known, input.recipients, known) : [];
    const change = parseChange(known, input, { ...deps, unreached });
    if (!change.ok) return change;
    return deps.unitOfWork(call.caller.scope, async (tx): Promise<Result<Subscription, ApplicationError>> => {
      const current = await hold(tx, known);
      if (current === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND, tx);
      const { subscription, changed } = reviseSubscription(current, change.value);
      if (changed.length === 0) return ok(current);
      if (current.state === 'ended') return err(HAS_ENDED);
      await tx.subscriptions.replace(subscription);
      if (current.state === 'paused' && subscription.state === 'active') await startAgain(tx, id, null);
      const facts = factsOf(subscription);
      const details = { ...facts.details, fields: changed };
      await tx.audit(deps.makeEntry(call, { ...attempt, ...facts, details }));
      return ok(subscription);
    });
  };
}

function parseChange(
  known: Subscription,
  input: SubscriptionChangeInput,
  {
    allowsPrivate,
    unreached,
  }: Pick<SubscriptionDeps, 'allowsPrivate'> & { readonly unreached: readonly FieldError[] },
): Result<SubscriptionChange, ApplicationError> {
  const name = input.name === undefined ? null : parseName(input.name);
  // A client can send back what it read, also of an ended subscription.
  const state =
    input.state === undefined ? null : [...CHOSEN_STATES, known.state].find((each) => each === input.state);
  const settings = parseSettings(input, known, { kind: known.kind, allowsPrivate });
  const faults = [
    ...(['filterId', 'kind'] as const)
      .filter((path) => input[path] !== undefined && input[path] !== known[path])
      .map((path) => ({ path, code: 'not_changeable', message: `${path} ${CANNOT_CHANGE}` })),
    ...faultsIn({ name }),
    ...(settings.ok ? [] : settings.error),
    ...unreached,
    ...(state === undefined ? [UNKNOWN_STATE] : []),
  ];
  if (faults.length > 0 || !settings.ok) return err(toValidationError(faults));
  const sent = Object.entries(settings.value).filter(
    ([member]) => input[member as keyof SettingsInput] !== undefined,
  );
  return ok({
    ...(name?.ok && { name: name.value }),
    ...(Object.fromEntries(sent) as Partial<SubscriptionSettings>),
    ...(state && { state }),
  });
}

const CANNOT_CHANGE = 'cannot be changed; make another subscription, and delete this one';

const UNKNOWN_STATE: FieldError = {
  path: 'state',
  code: 'invalid_value',
  message: `state must be ${CHOSEN_STATES.join(' or ')}`,
};

export const HAS_ENDED: ApplicationError = {
  code: 'conflict',
  detail:
    'The subscription has ended, because its filter was deleted or its receiver is gone; make another one.',
};

/** The filter is locked first, as everywhere. */
export async function hold(tx: Transaction, { id, filterId }: Subscription): Promise<Subscription | null> {
  await tx.filters.findForUpdate(filterId);
  return tx.subscriptions.find(id);
}

/** From this number, or where it stopped; what failed before does not count. */
export async function startAgain(tx: Transaction, id: SubscriptionId, from: number | null): Promise<void> {
  const position = from ?? (await tx.subscriptions.progressOf(id))?.position ?? 0;
  await tx.subscriptions.setProgress(id, startAt(position));
}

// Deletes a subscription (DELETE /subscriptions/:id; Contract: §17).

/** Needs devices:write. Error: `not_found`. */
export type DeleteSubscription = (call: Call, id: SubscriptionId) => Promise<Result<void, ApplicationError>>;

export function makeDeleteSubscription(deps: SubscriptionDeps): DeleteSubscription {
  return async (call, id) => {
    const { scope } = call.caller;
    const attempt = { action: 'subscription.deleted', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const known = await deps.subscriptions.find(scope, id);
    if (known === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND);
    return deps.unitOfWork(scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const current = await hold(tx, known);
      if (current === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND, tx);
      await tx.subscriptions.remove(id);
      await tx.audit(deps.makeEntry(call, { ...attempt, ...factsOf(current) }));
      return ok(undefined);
    });
  };
}
