/** The caller's identity providers (Contract: §16). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { MFA_NOT_POSSIBLE, type RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import { refuseWithoutSession } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import { PROVIDER_NOT_FOUND } from '#application/identity-providers/hold-provider.ts';
import type {
  IdentityProviderReader,
  PersonsProvider,
} from '#application/ports/auth/stores/identity-provider-store.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Refuses API keys and users of an embedding program. */
export type ListOwnProviders = (call: Call) => Promise<Result<readonly PersonsProvider[], ApplicationError>>;

/**
 * Needs fresh MFA. Refuses to unlink the person's last way to sign in. Also refuses to unlink the provider
 * that made the account, because it decides about the person's rights.
 */
export type UnlinkProvider = (call: Call, id: IdentityProviderId) => Promise<Result<void, ApplicationError>>;

export interface OwnProvidersDeps {
  readonly identityProviderReader: IdentityProviderReader;
  readonly signIns: SignInStore;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly notifyUser: NotifyUser;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeListOwnProviders({
  identityProviderReader,
}: Pick<OwnProvidersDeps, 'identityProviderReader'>): ListOwnProviders {
  return async ({ caller }) => {
    const refusal = refuseWithoutSession(caller);
    return refusal === null ? ok(await identityProviderReader.listForPerson(caller.userId)) : err(refusal);
  };
}

export function makeUnlinkProvider(deps: OwnProvidersDeps): UnlinkProvider {
  return async (call, id) => {
    const { userId } = call.caller;
    const attempt = { action: 'user.updated', resourceId: userId } as const;
    const refusal = refuseWithoutSession(call.caller, MFA_NOT_POSSIBLE) ?? deps.requireFreshMfa(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const own = await deps.identityProviderReader.listForPerson(userId);
    const linked = own.find(({ provider, identity }) => provider.id === id && identity !== null);
    if (linked === undefined) return err(PROVIDER_NOT_FOUND);
    if (linked.identity?.isMade === true) return deps.deny(call, attempt, MADE_BY_IT);
    const hasPassword = (await deps.signIns.findById(userId))?.passwordHash != null;
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
      const hasAnotherWay = hasPassword || (await tx.passkeys.hold(userId)).length > 0;
      if (!hasAnotherWay) return deps.deny(call, attempt, ONLY_WAY, tx);
      if (!(await tx.identityProviders.unlink(id, userId))) return err(PROVIDER_NOT_FOUND);
      const { name } = linked.provider;
      await deps.notifyUser(tx, userId, { kind: 'provider-unlinked', facts: { at: deps.clock(), name } });
      await tx.audit(deps.makeEntry(call, { ...attempt, details: { fields: ['identityProvider'] } }));
      return ok(undefined);
    });
  };
}

const MADE_BY_IT: ApplicationError = {
  code: 'forbidden',
  detail: 'This identity provider made your account and decides what you may do, so it stays.',
};

const ONLY_WAY: ApplicationError = {
  code: 'conflict',
  detail: 'You have no other way to sign in; add a passkey first.',
};
