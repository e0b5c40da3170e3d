/** Reads, changes and deletes subscriptions (Contract: §17). */
import { NOT_THE_WHOLE_PARTNER, refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  SUBSCRIPTION_NOT_FOUND,
  toValidationError,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { parseName } from '#application/input-values.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import type { FilterId, SubscriptionId } from '#domain/ids.ts';
import {
  CHOSEN_STATES,
  reviseSubscription,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionSettings,
} from '#domain/membership/subscription.ts';
import { startAt } from '#domain/membership/webhook-delivery.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { factsOf, type SubscriptionDeps, type SubscriptionInput } from './create-subscription.ts';
import { refuseRecipients } from './mail-recipients.ts';
import { parseSettings, type SettingsInput } from './subscription-input.ts';

/** Error: `not_found`, also if the subscription is out of reach. */
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

/**
 * Finds a subscription whose members, changes and deliveries the caller may read. A partner-wide one covers
 * all organizations of the partner, so it needs the whole partner.
 */
export async function findToFollow(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  { caller: { scope } }: Call,
  id: SubscriptionId,
): Promise<Result<Subscription, ApplicationError>> {
  const found = await subscriptions.find(scope, id);
  if (found === null) return err(SUBSCRIPTION_NOT_FOUND);
  return isWithinReach(scope, found) ? ok(found) : err(NOT_THE_WHOLE_PARTNER);
}

/** Lists subscriptions in reach, newest first. If `filterId` is null, lists those of all filters. */
export type ListSubscriptions = (call: Call, filterId: FilterId | null) => Promise<readonly Subscription[]>;

export function makeListSubscriptions({
  subscriptions,
}: Pick<SubscriptionDeps, 'subscriptions'>): ListSubscriptions {
  return (call, filterId) => subscriptions.list(call.caller.scope, filterId);
}

/**
 * Unchecked input. An undefined member leaves its value unchanged. `filterId` and `kind` may only repeat
 * their current values.
 */
export interface SubscriptionChangeInput extends SubscriptionInput {
  readonly state?: unknown;
}

/** Needs devices:write. Errors: every fault of the input, `not_found`, `conflict` if the subscription has ended. */
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
    const found = await findToFollow(deps, call, id);
    if (!found.ok) return deps.deny(call, attempt, found.error);
    const known = found.value;
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
  // The current state is accepted too, even `ended`, because a client may send back what it read.
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

/** Locks the filter first, as all code does, to avoid deadlocks. */
export async function hold(tx: Transaction, { id, filterId }: Subscription): Promise<Subscription | null> {
  await tx.filters.findForUpdate(filterId);
  return tx.subscriptions.find(id);
}

/** Starts after `from` or, if it is null, where the subscription stopped. Forgets earlier failures. */
export async function startAgain(tx: Transaction, id: SubscriptionId, from: number | null): Promise<void> {
  const position = from ?? (await tx.subscriptions.progressOf(id))?.position ?? 0;
  await tx.subscriptions.setProgress(id, startAt(position));
}

/** Needs devices:write. Error: `not_found`. */
export type DeleteSubscription = (call: Call, id: SubscriptionId) => Promise<Result<void, ApplicationError>>;

export function makeDeleteSubscription(deps: SubscriptionDeps): DeleteSubscription {
  return async (call, id) => {
    const { scope } = call.caller;
    const attempt = { action: 'subscription.deleted', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const found = await findToFollow(deps, call, id);
    if (!found.ok) return deps.deny(call, attempt, found.error);
    const known = found.value;
    return deps.unitOfWork(scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const current = await hold(tx, known);
      if (current === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND, tx);
      await tx.subscriptions.remove(id);
      await tx.audit(deps.makeEntry(call, { ...attempt, ...factsOf(current) }));
      return ok(undefined);
    });
  };
}
