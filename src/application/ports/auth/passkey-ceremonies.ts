import type { Passkey } from '#domain/access/passkey.ts';
import type { UserId } from '#domain/ids.ts';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** A host name. */
  readonly id: string;
  /** Only pages of this origin may use the party's passkeys. */
  readonly origin: string;
}

/** The options of `navigator.credentials.create` or `.get`, as JSON. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

/** What a browser's answer claims, unverified. */
export interface CeremonyClaim {
  readonly credentialId: string;
  readonly challenge: string;
}

export type NewCredential = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'
>;

/** WebAuthn Level 3, with user verification required. Challenges are base64url. */
export interface PasskeyCeremonies {
  /** Options to create a discoverable credential. An authenticator that already holds one of `known` refuses. */
  creationOptions(
    party: RelyingParty,
    request: {
      readonly challenge: string;
      readonly userId: UserId;
      readonly email: string;
      readonly name: string;
      readonly known: readonly Pick<Passkey, 'credentialId' | 'transports'>[];
    },
  ): Promise<CeremonyOptions>;
  /**
   * Options to use a passkey. They list no credential, so the browser offers every discoverable passkey of the site.
   */
  requestOptions(party: RelyingParty, challenge: string): Promise<CeremonyOptions>;
  /** Null if `response` is not a browser's answer. */
  readClaim(response: unknown): CeremonyClaim | null;
  /** Null if any check fails. */
  verifyCreation(party: RelyingParty, claim: CeremonyClaim, response: unknown): Promise<NewCredential | null>;
  /** Null if any check fails. The caller checks the counter. */
  verifyRequest(
    party: RelyingParty,
    claim: CeremonyClaim,
    response: unknown,
    passkey: Passkey,
  ): Promise<Pick<Passkey, 'counter' | 'isBackedUp'> | null>;
}
