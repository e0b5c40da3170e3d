/** A visit to an identity provider: what the browser keeps until it is back, and why it can fail (Contract: §16). */

import type { OpenIdSecrets } from '#application/ports/auth/openid-providers.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { ProvisionRefusal } from '#domain/access/provider-domain.ts';
import type { IdentityProviderId, SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Only the browser that began the visit has it, in a cookie that no script can read. */
export interface ProviderVisit extends OpenIdSecrets {
  readonly providerId: IdentityProviderId;
  /** An address of the console; null is its first page. */
  readonly next: string | null;
  /** Whether the provider was asked to have the person sign in again. */
  readonly isFresh: boolean;
  readonly startedAt: EpochMs;
  /** The session whose person links the provider; null for a sign-in. */
  readonly linksTo: VisitingSession | null;
}

export interface VisitingSession {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly authEpoch: number;
}

/** Why a visit fails. The page says what to do. */
export type ProviderProblem =
  /** No provider has the domain of the email, or it is gone. */
  | 'unknown_provider'
  /** Down or slow. */
  | 'provider_unreachable'
  /** The person, or a rule of the provider, has refused. */
  | 'provider_denied'
  /** Its answer does not hold. */
  | 'provider_answer_invalid'
  /** Began in another browser, in another tab since, more than ten minutes ago, or is over. */
  | 'visit_over'
  /** It was asked for a new sign-in, and told of an old one. */
  | 'not_fresh'
  | 'not_provisioned'
  | 'no_email'
  | 'email_not_verified'
  | 'domain_not_verified'
  /** Somebody has the email already. */
  | 'account_exists'
  /** The person is disabled, or not of the provider's organization or partner. */
  | 'not_allowed'
  /** The account at the provider is linked already, or the person to another one. */
  | 'already_linked'
  | 'too_many_attempts';

export const PROVISION_PROBLEMS: Readonly<Record<ProvisionRefusal, ProviderProblem>> = {
  'not-provisioned': 'not_provisioned',
  'no-email': 'no_email',
  'email-not-verified': 'email_not_verified',
  'domain-not-verified': 'domain_not_verified',
};

const BINDING = 'visit to an identity provider';

export function sealVisit(cursors: CursorSigner, visit: ProviderVisit): string {
  return cursors.seal(JSON.stringify(visit), BINDING);
}

/** Null if the service did not seal it. */
export function openVisit(cursors: CursorSigner, sealed: string): ProviderVisit | null {
  const text = cursors.open(sealed, BINDING);
  return text === null ? null : (JSON.parse(text) as ProviderVisit);
}
