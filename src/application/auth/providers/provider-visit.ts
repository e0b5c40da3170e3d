/** A visit to an identity provider: what the browser keeps meanwhile, and why a visit fails (Contract: §16). */

import type { OpenIdSecrets } from '#application/ports/auth/openid-providers.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { ProvisionRefusal } from '#domain/access/provider-domain.ts';
import type { IdentityProviderId, SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Kept in an HttpOnly cookie of the browser that began the visit. */
export interface ProviderVisit extends OpenIdSecrets {
  readonly providerId: IdentityProviderId;
  /** The page of the console to open next; null is the first page. */
  readonly next: string | null;
  /** True if the provider was asked for a new sign-in. */
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

/** Why a visit failed. The sign-in page tells people what to do. */
export type ProviderProblem =
  /** No provider has verified the email's domain, or the provider is gone. */
  | 'unknown_provider'
  | 'provider_unreachable'
  /** The provider refused, or the person did. */
  | 'provider_denied'
  | 'provider_answer_invalid'
  /** The visit began in another browser, was replaced in another tab, took more than ten minutes, or is finished. */
  | 'visit_over'
  /** The provider did not make the person sign in again. */
  | 'not_fresh'
  | 'not_provisioned'
  | 'no_email'
  | 'email_not_verified'
  | 'domain_not_verified'
  | 'account_exists'
  /** The person is disabled, or outside the provider's organization or partner. */
  | 'not_allowed'
  /** The account at the provider is linked to another person, or the person to another account. */
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
