/** Counts attempts to sign in, by client and by email (Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import {
  signInsFromOwnNetwork,
  signInsOfAddress,
  signInsOfEmail,
  tooManyAttempts,
} from '#application/auth/attempt-limits.ts';
import type { Visit } from '#application/call.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateKey, RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** An attempt that has been counted. */
export interface CountedSignIn {
  /** Takes it back, for an attempt that came to nothing through no fault of the client's. */
  giveBack(): Promise<void>;
  /**
   * After a good one. Counts it for the network that is now one of the person's own, so that what strangers have left
   * does not reveal that somebody signs in with the email.
   */
  succeed(): Promise<void>;
}

/** Counts the attempt under every limit, or under none if one of them refuses it. */
export type CountSignIn = (visit: Visit, email: string) => Promise<Result<CountedSignIn, ApplicationError>>;

export interface CountSignInDeps {
  readonly rateLimiter: RateLimiter;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly clock: Clock;
}

export function makeCountSignIn({ rateLimiter, hasSignedInFrom, clock }: CountSignInDeps): CountSignIn {
  /** Found in the same way whether the email has an account or not. */
  const isOwnNetwork = (email: string, ip: string) =>
    hasSignedInFrom({ email }, networkOf(ip), clock() - OWN_NETWORK_MS);

  return async ({ ip }, email) => {
    const counted: RateKey[] = [];
    const giveBack = async () => {
      for (const key of counted.splice(0)) await rateLimiter.refund(key);
    };
    const refuses = async (key: RateKey) => {
      const verdict = await rateLimiter.consume(key);
      if (!verdict.allowed) return tooManyAttempts(verdict);
      counted.push(key);
      return null;
    };
    // The client is first, so that a flood from one costs no look at anybody's networks.
    const refusedClient = ip === null ? null : await refuses(signInsOfAddress(ip));
    if (refusedClient !== null) return err(refusedClient);
    const ownIp = ip !== null && (await isOwnNetwork(email, ip)) ? ip : null;
    const shared = signInsOfEmail(email);
    const refusedEmail = await refuses(ownIp === null ? shared : signInsFromOwnNetwork(email, ownIp));
    if (refusedEmail !== null) {
      await giveBack();
      return err(refusedEmail);
    }
    const succeed = async () => {
      if (ip === null || ownIp !== null) return;
      await rateLimiter.refund(shared);
      await rateLimiter.consume(signInsFromOwnNetwork(email, ip));
    };
    return ok({ giveBack, succeed });
  };
}
