/** Issues challenges for passkeys and checks the answers (Contract: §16). */
import { answersOfChallenge } from '#application/auth/attempt-limits.ts';
import type {
  CeremonyClaim,
  PasskeyCeremonies,
  RelyingParty,
} from '#application/ports/auth/passkey-ceremonies.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { PasskeyReader, PasskeyUse } from '#application/ports/auth/stores/passkey-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import { CHALLENGE_LIFETIME_MS, type Passkey } from '#domain/access/passkey.ts';
import type { SessionId } from '#domain/ids.ts';

/** A browser's answer as sent, and the site that it must be for. */
export interface PasskeyAnswer {
  readonly response: unknown;
  readonly party: RelyingParty;
}

export type ChallengePurpose = 'prove' | { readonly addIn: SessionId };

/**
 * Challenges are signed and contain their time of issue, so issuing one stores nothing. Only answered ones
 * are remembered.
 */
export interface PasskeyChallenges {
  issue(purpose: ChallengePurpose): string;
  /** True once for each challenge, if it was issued for this purpose in the last five minutes. */
  take(challenge: string, purpose: ChallengePurpose): Promise<boolean>;
}

export interface PasskeyChallengesDeps {
  readonly cursors: CursorSigner;
  readonly secrets: Pick<SecretGenerator, 'salt'>;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
}

export function makePasskeyChallenges(deps: PasskeyChallengesDeps): PasskeyChallenges {
  const { cursors, secrets, rateLimiter, clock } = deps;
  return {
    issue: (purpose) => cursors.seal(`${clock()} ${secrets.salt()}`, bindingOf(purpose)),
    async take(challenge, purpose) {
      const issuedAt = Number(cursors.open(challenge, bindingOf(purpose))?.split(' ')[0] ?? Number.NaN);
      // `issuedAt` is NaN if the challenge is not ours; the comparison is then false.
      if (!(clock() - issuedAt < CHALLENGE_LIFETIME_MS)) return false;
      return (await rateLimiter.consume(answersOfChallenge(challenge))).allowed;
    },
  };
}

function bindingOf(purpose: ChallengePurpose): string {
  return purpose === 'prove' ? 'passkey' : `new passkey in ${purpose.addIn}`;
}

/** A passkey whose signature is right. Its counter is checked when the use is recorded. */
export interface ProvenPasskey {
  readonly passkey: Passkey;
  readonly use: PasskeyUse;
}

export interface CheckPasskeyDeps {
  readonly ceremonies: PasskeyCeremonies;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passkeys: PasskeyReader;
  readonly clock: Clock;
}

/** Uses up the challenge. Null if anything is wrong. */
export async function checkPasskey(
  { ceremonies, passkeyChallenges, clock }: CheckPasskeyDeps,
  { response, party }: PasskeyAnswer,
  claim: CeremonyClaim,
  passkey: Passkey | null,
): Promise<ProvenPasskey | null> {
  const isOurs = await passkeyChallenges.take(claim.challenge, 'prove');
  if (!isOurs || passkey === null) return null;
  const verified = await ceremonies.verifyRequest(party, claim, response, passkey);
  return verified === null ? null : { passkey, use: { ...verified, at: clock() } };
}

/** Null if anything is wrong or the passkey belongs to another person. */
export type CheckOwnPasskey = (
  answer: PasskeyAnswer,
  userId: Passkey['userId'],
) => Promise<ProvenPasskey | null>;

export function makeCheckOwnPasskey(deps: CheckPasskeyDeps): CheckOwnPasskey {
  return async (answer, userId) => {
    const claim = deps.ceremonies.readClaim(answer.response);
    if (claim === null) return null;
    const passkey = await deps.passkeys.find(claim.credentialId);
    return checkPasskey(deps, answer, claim, passkey?.userId === userId ? passkey : null);
  };
}
