/** Links for setting a password without signing in (Contract: §16, "Links"). */
import type { UserId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** A `first-run` link creates the first partner, organization and administrator of a new service. */
export const LINK_PURPOSES = ['invitation', 'password-reset', 'first-run'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** How long a link stays good. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * DAY_MS,
  'password-reset': 30 * MINUTE_MS,
  'first-run': HOUR_MS,
};

/**
 * The lifetime of a link that is sent because an identity provider was removed. The recipient did not ask for
 * it and may be away.
 */
export const PROVIDER_GONE_LINK_MS = 7 * DAY_MS;

/** The maximum number of valid links per person and purpose. A further link voids the oldest. */
export const GOOD_AT_ONCE = { invitation: 1, 'password-reset': 3 } as const satisfies Partial<
  Record<LinkPurpose, number>
>;

/** The person's epochs when the link was made. A change of any of them voids the link. */
export interface LinkEpochs {
  /** Changes with membership and status. */
  readonly auth: number;
  readonly password: number;
  readonly mfa: number;
}

/** Stores keep a hash of the token: only the mail has the token itself. */
export interface AccountLink {
  readonly tokenSha256: string;
  readonly purpose: LinkPurpose;
  readonly userId: UserId | null;
  /** Null for `first-run`, and for invitations, which are valid as long as the person is `invited`. */
  readonly epochs: LinkEpochs | null;
  readonly createdAt: EpochMs;
  readonly expiresAt: EpochMs;
}

export interface LinkedPerson {
  readonly status: 'invited' | 'active' | 'disabled' | 'deleted';
  readonly epochs: LinkEpochs;
}

/** `person` is null for `first-run` links. */
export function isLinkGood(
  { purpose, epochs, expiresAt }: AccountLink,
  person: LinkedPerson | null,
  now: EpochMs,
): boolean {
  if (expiresAt <= now) return false;
  switch (purpose) {
    case 'first-run':
      return true;
    case 'invitation':
      return person?.status === 'invited';
    case 'password-reset':
      return person?.status === 'active' && epochs !== null && isSame(epochs, person.epochs);
  }
}

function isSame(one: LinkEpochs, other: LinkEpochs): boolean {
  return one.auth === other.auth && one.password === other.password && one.mfa === other.mfa;
}

/** `secret` has 43 base64url characters. */
export function toLinkToken(secret: string): string {
  return `fsl_${secret}`;
}
