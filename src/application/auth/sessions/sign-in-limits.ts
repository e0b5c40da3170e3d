/** Counts attempts to sign in, by client and by email (Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import { SIGN_INS_OF_ADDRESS, SIGN_INS_OF_EMAIL, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import type { Visit } from '#application/call.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateLimiter, RateRule } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import { clientOf, networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';

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

export function makeCountSignIn(deps: CountSignInDeps): CountSignIn {
  const { rateLimiter } = deps;
  return async ({ ip }, email) => {
    const keys = keysOf(email, ip);
    const counted: (readonly [RateRule, string])[] = [];
    const giveBack = async () => {
      for (const [rule, key] of counted.splice(0)) await rateLimiter.refund(rule, key);
    };
    const succeed = async () => {
      const [rule, key] = counted.at(-1) ?? [];
      if (rule === undefined || key === undefined || key === keys.own || keys.own === null) return;
      await rateLimiter.refund(rule, key);
      await rateLimiter.consume(rule, keys.own);
    };
    const refuses = async (rule: RateRule, key: string) => {
      const verdict = await rateLimiter.consume(rule, key);
      if (!verdict.allowed) return tooManyAttempts(verdict);
      counted.push([rule, key]);
      return null;
    };
    // The client first, so that a flood from one costs no look at anybody's networks.
    const refusal =
      (ip === null ? null : await refuses(SIGN_INS_OF_ADDRESS, clientOf(ip))) ??
      (await refuses(SIGN_INS_OF_EMAIL, await chooseKey(deps, keys, email, ip)));
    if (refusal === null) return ok({ giveBack, succeed });
    await giveBack();
    return err(refusal);
  };
}

/** What an email is counted by: everywhere, and in a network of its owner's. */
interface EmailKeys {
  readonly shared: string;
  readonly own: string | null;
}

function keysOf(email: string, ip: string | null): EmailKeys {
  const shared = foldCase(email);
  return { shared, own: ip === null ? null : `${shared} from ${networkOf(ip)}` };
}

/** Found in the same way whether the email has an account or not. */
async function chooseKey(
  { hasSignedInFrom, clock }: CountSignInDeps,
  { shared, own }: EmailKeys,
  email: string,
  ip: string | null,
): Promise<string> {
  if (ip === null || own === null) return shared;
  const isOwn = await hasSignedInFrom({ email }, networkOf(ip), clock() - OWN_NETWORK_MS);
  return isOwn ? own : shared;
}
