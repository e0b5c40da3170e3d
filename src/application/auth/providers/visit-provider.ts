/** Sends a browser to an identity provider (GET /auth/oidc/start; Contract: §16). */
import { type ApplicationError, invalidField, toValidationError } from '#application/application-error.ts';
import { providerSignInsOfAddress } from '#application/auth/attempt-limits.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import { refuseWithoutSession, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call, Visit } from '#application/call.ts';
import type { CallbackAddresses, OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { IdentityProviderReader } from '#application/ports/auth/stores/identity-provider-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { Log } from '#application/ports/log.ts';
import { domainOf } from '#domain/access/provider-domain.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type ProviderProblem, sealVisit, type VisitingSession } from './provider-visit.ts';

/** Exactly one of `email` and `provider` must be set. */
export interface VisitInput {
  /** Leads to the provider that has verified the email's domain. */
  readonly email: string | null;
  readonly provider: IdentityProviderId | null;
  readonly next: string | null;
  readonly isFresh: boolean;
}

export interface BegunVisit {
  readonly location: string;
  /** The content of the browser's cookie. */
  readonly sealed: string;
}

/** A fault of the request, or a problem for the sign-in page. */
export type VisitRefusal = ApplicationError | { readonly problem: ProviderProblem };

/** `call` is null for a sign-in. Otherwise the visit links an account, which needs a session and fresh MFA. */
export type VisitProvider = (
  visit: Visit,
  call: Call | null,
  input: VisitInput,
  callbackOf: (id: IdentityProviderId) => CallbackAddresses,
) => Promise<Result<BegunVisit, VisitRefusal>>;

export interface VisitProviderDeps {
  readonly identityProviderReader: IdentityProviderReader;
  readonly openIdProviders: OpenIdProviders;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly rateLimiter: RateLimiter;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
  readonly log: Log;
}

export function makeVisitProvider(deps: VisitProviderDeps): VisitProvider {
  const { identityProviderReader, openIdProviders, rateLimiter, cursors, clock, log } = deps;
  return async (visit, call, { email, provider: id, next, isFresh }, callbackOf) => {
    const fault = id === null && email === null ? NEITHER : id !== null && email !== null ? BOTH : null;
    if (fault !== null) return err(fault);
    const linksTo = call === null ? ok(null) : linkingSession(deps, call);
    if (!linksTo.ok) return linksTo;
    if (visit.ip !== null && !(await rateLimiter.consume(providerSignInsOfAddress(visit.ip))).allowed) {
      return problem('too_many_attempts');
    }
    const domain = email === null ? null : domainOf(email);
    const by = id === null ? { domain: domain ?? '' } : { id };
    const found = await identityProviderReader.findForSignIn(by);
    if (found === null || found.clientSecret === null) return problem('unknown_provider');
    const { provider, clientSecret } = found;
    const { issuer, clientId } = provider;
    const secrets = openIdProviders.newSecrets();
    // Other requests can use the turn while a slow provider answers.
    visit.endTurn?.();
    const started = await openIdProviders.start(
      { issuer, clientId, clientSecret, callback: callbackOf(provider.id) },
      { ...secrets, isFresh, loginHint: email },
    );
    if (!started.ok) {
      log.warn(factsOf(visit, provider.id, started.error), 'an identity provider could not be asked');
      return problem(
        started.error.kind === 'unreachable' ? 'provider_unreachable' : 'provider_answer_invalid',
      );
    }
    const sealed = sealVisit(cursors, {
      ...secrets,
      ...{ providerId: provider.id, next, isFresh, startedAt: clock(), linksTo: linksTo.value },
    });
    return ok({ location: started.value, sealed });
  };
}

function linkingSession(
  { requireFreshMfa }: Pick<VisitProviderDeps, 'requireFreshMfa'>,
  call: Call,
): Result<VisitingSession, ApplicationError> {
  const { caller } = call;
  const refusal = refuseWithoutSession(caller) ?? requireFreshMfa(call);
  if (refusal !== null) return err(refusal);
  const sessionId = sessionIdOf(caller);
  if (sessionId === null || caller.credential.kind === 'api-key') throw new Error('there is no session');
  return ok({ userId: caller.userId, sessionId, authEpoch: caller.credential.authEpoch });
}

export function factsOf(
  { requestId }: Visit,
  providerId: IdentityProviderId,
  { reason }: { readonly reason: string },
) {
  return { requestId, providerId, reason };
}

function problem(name: ProviderProblem) {
  return err({ problem: name });
}

const NEITHER: ApplicationError = invalidField('email', 'value_required', 'email or provider is required');

const BOTH: ApplicationError = toValidationError([
  { path: 'provider', code: 'invalid_value', message: 'provider takes the place of email; send either' },
]);
