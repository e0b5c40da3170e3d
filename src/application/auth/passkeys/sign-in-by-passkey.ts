/** Signs in by a passkey, which counts as both factors (Contract: §16). */
import { type ApplicationError, invalidField } from '#application/application-error.ts';
import type { SignInInput } from '#application/auth/auth-input.ts';
import { PASSKEY_REFUSED } from '#application/auth/auth-refusals.ts';
import {
  type CountSignIn,
  type RefuseSignInDeps,
  refuseSignIn,
} from '#application/auth/sessions/sign-in-attempts.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { ProveSignIn, StartSession } from '#application/auth/sessions/start-session.ts';
import type { Visit } from '#application/call.ts';
import type { CeremonyOptions, RelyingParty } from '#application/ports/auth/passkey-ceremonies.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import { type TokenCarrier, verifiedMfa } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  type CheckPasskeyDeps,
  checkPasskey,
  type PasskeyAnswer,
  type ProvenPasskey,
} from './check-passkey.ts';

/** The browser offers every passkey that it has for this site. */
export type OfferPasskeys = (party: RelyingParty) => Promise<CeremonyOptions>;

export function makeOfferPasskeys({
  ceremonies,
  passkeyChallenges,
}: Pick<CheckPasskeyDeps, 'ceremonies' | 'passkeyChallenges'>): OfferPasskeys {
  return (party) => ceremonies.requestOptions(party, passkeyChallenges.issue('prove'));
}

export type SignInByPasskey = (
  visit: Visit,
  others: Pick<SignInInput, 'email' | 'password' | 'code'>,
  answer: PasskeyAnswer,
  carrier: TokenCarrier,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface SignInByPasskeyDeps extends CheckPasskeyDeps, RefuseSignInDeps {
  readonly signIns: SignInStore;
  readonly countSignIn: CountSignIn;
  readonly startSession: StartSession;
}

/**
 * An attempt counts towards the limits of the client's address and of the person's email. For an unknown
 * passkey, the credential id takes the place of the email.
 */
export function makeSignInByPasskey(deps: SignInByPasskeyDeps): SignInByPasskey {
  return async (visit, { email, password, code }, answer, carrier) => {
    if ([email, password, code].some((member) => member !== undefined && member !== null)) return err(BOTH);
    const claim = deps.ceremonies.readClaim(answer.response);
    if (claim === null) return err(NOT_AN_ANSWER);
    const passkey = await deps.passkeys.find(claim.credentialId);
    const account = passkey === null ? null : await deps.signIns.findById(passkey.userId);
    const counted = await deps.countSignIn(visit, account?.email ?? claim.credentialId);
    if (!counted.ok) return refuseSignIn(deps, visit, null, counted.error);
    const proven = await checkPasskey(deps, answer, claim, passkey);
    if (proven === null || account === null) {
      return refuseSignIn(deps, visit, account?.principal ?? null, PASSKEY_REFUSED, 'invalid_passkey');
    }
    const started = await deps.startSession(visit, carrier, account, proveByPasskey(proven), PASSKEY_REFUSED);
    if (started.ok) await counted.value.succeed();
    return started;
  };
}

function proveByPasskey({ passkey, use }: ProvenPasskey): ProveSignIn {
  return async (tx) => {
    const factor = await tx.mfa.findFactor(passkey.userId);
    // Refused if the passkey was removed after the check, or if its counter shows a copy of the authenticator.
    const isUsed = factor !== null && (await tx.passkeys.use(passkey.id, use));
    return isUsed
      ? ok({ mfa: verifiedMfa(use.at, factor.epoch), provenAt: use.at })
      : err({ reason: 'passkey_counter', error: PASSKEY_REFUSED });
  };
}

const BOTH: ApplicationError = invalidField(
  'passkey',
  'invalid_value',
  'passkey takes the place of email, password and code; send either',
);

const NOT_AN_ANSWER: ApplicationError = invalidField(
  'passkey',
  'invalid_value',
  'passkey must be the answer of navigator.credentials.get(), as JSON',
);
