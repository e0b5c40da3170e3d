/** Finishes a visit when the browser returns from an identity provider (GET /auth/oidc/callback; Contract: §16). */
import { endsOfProviderVisit } from '#application/auth/attempt-limits.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { ProveSignIn, StartSession } from '#application/auth/sessions/start-session.ts';
import type { Visit } from '#application/call.ts';
import type { CallbackAddresses, OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { IdentityProviderReader } from '#application/ports/auth/stores/identity-provider-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { Log } from '#application/ports/log.ts';
import { readIdToken } from '#domain/access/id-token.ts';
import {
  countsAsMfa,
  type IdentityProvider,
  isFreshSignIn,
  PROVIDER_VISIT_MS,
} from '#domain/access/identity-provider.ts';
import { type TokenCarrier, verifiedMfa } from '#domain/access/session.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { AdmitPerson, LinkPerson, ProviderAnswer } from './admit-person.ts';
import { openVisit, type ProviderProblem, type ProviderVisit } from './provider-visit.ts';
import { factsOf } from './visit-provider.ts';

/** Null if the visit linked an account, which starts no session. */
export type VisitOutcome = Result<SignedIn | null, ProviderProblem>;

export interface FinishedVisit {
  readonly next: string | null;
  readonly isLinking: boolean;
  readonly outcome: VisitOutcome;
}

/** `sealed` is the browser's cookie, `address` the full callback address. */
export type FinishVisit = (
  visit: Visit,
  back: { readonly sealed: string | null; readonly state: string | null; readonly address: string },
  callbackOf: (id: IdentityProviderId) => CallbackAddresses,
  carrier: TokenCarrier,
) => Promise<FinishedVisit>;

export interface FinishVisitDeps {
  readonly identityProviderReader: IdentityProviderReader;
  readonly openIdProviders: OpenIdProviders;
  readonly signIns: SignInStore;
  readonly admitPerson: AdmitPerson;
  readonly linkPerson: LinkPerson;
  readonly startSession: StartSession;
  readonly rateLimiter: RateLimiter;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
  readonly log: Log;
}

export function makeFinishVisit(deps: FinishVisitDeps): FinishVisit {
  return async (visit, { sealed, state, address }, callbackOf, carrier) => {
    const begun = sealed === null ? null : openVisit(deps.cursors, sealed);
    if (begun === null || begun.state !== state) return { ...NOWHERE, outcome: err('visit_over') };
    const { next, linksTo } = begun;
    const finished = (outcome: VisitOutcome) => ({ next, isLinking: linksTo !== null, outcome });
    const isInTime = deps.clock() - begun.startedAt < PROVIDER_VISIT_MS;
    const isFirst = isInTime && (await deps.rateLimiter.consume(endsOfProviderVisit(begun.state))).allowed;
    if (!isFirst) return finished(err('visit_over'));
    const told = await askProvider(deps, visit, begun, address, callbackOf(begun.providerId));
    if (!told.ok) return finished(told);
    if (linksTo !== null) {
      return finished(await deps.linkPerson(visit, linksTo, begun.providerId, told.value.answer));
    }
    return finished(await signIn(deps, visit, begun, told.value, carrier));
  };
}

const NOWHERE = { next: null, isLinking: false } as const;

interface Told {
  readonly provider: IdentityProvider;
  readonly answer: ProviderAnswer;
}

/** An error means that the provider gave no answer. A refused answer is a value, because it is recorded later. */
async function askProvider(
  { identityProviderReader, openIdProviders, log }: FinishVisitDeps,
  visit: Visit,
  { providerId: id, isFresh, startedAt, ...secrets }: ProviderVisit,
  address: string,
  callback: CallbackAddresses,
): Promise<Result<Told, ProviderProblem>> {
  const found = await identityProviderReader.findForSignIn({ id });
  if (found === null || found.clientSecret === null) return err('unknown_provider');
  const { provider, clientSecret } = found;
  const { issuer, clientId, groupsClaim } = provider;
  // Other requests can use the turn while a slow provider answers.
  visit.endTurn?.();
  const { state, nonce, codeVerifier } = secrets;
  const claims = await openIdProviders.finish(
    { issuer, clientId, clientSecret, callback },
    { state, nonce, codeVerifier, address },
  );
  if (!claims.ok) {
    log.warn(factsOf(visit, id, claims.error), 'a sign-in at an identity provider failed');
    const { kind } = claims.error;
    return kind === 'unreachable' ? err(PROBLEMS.unreachable) : ok({ provider, answer: err(PROBLEMS[kind]) });
  }
  const facts = readIdToken(claims.value, groupsClaim);
  if (facts === null) return ok({ provider, answer: err('provider_answer_invalid') });
  const isStale = isFresh && !isFreshSignIn(facts, startedAt);
  return ok({ provider, answer: isStale ? err('not_fresh') : ok(facts) });
}

const PROBLEMS = {
  unreachable: 'provider_unreachable',
  denied: 'provider_denied',
  invalid: 'provider_answer_invalid',
} as const satisfies Readonly<Record<string, ProviderProblem>>;

async function signIn(
  deps: FinishVisitDeps,
  visit: Visit,
  { isFresh }: ProviderVisit,
  { provider, answer }: Told,
  carrier: TokenCarrier,
): Promise<Result<SignedIn, ProviderProblem>> {
  const admitted = await deps.admitPerson(visit, provider.id, answer);
  if (!admitted.ok) return admitted;
  if (!answer.ok) return answer;
  const facts = answer.value;
  const account = await deps.signIns.findById(admitted.value);
  if (account === null) return err('not_allowed');
  const { mfaEpoch } = account.principal;
  const prove: ProveSignIn = async (tx) => {
    const now = deps.clock();
    await tx.identityProviders.recordSignIn(provider.id, facts.subject, now);
    // Uses `signedInAt`, because a provider may keep people signed in long after it verified the second factor.
    const verifiedAt = Math.min(facts.signedInAt ?? now, now);
    return ok({
      mfa: countsAsMfa(provider, facts) ? verifiedMfa(verifiedAt, mfaEpoch) : null,
      provenAt: isFresh ? now : null,
    });
  };
  const started = await deps.startSession(visit, carrier, account, prove);
  return started.ok ? started : err('visit_over');
}
