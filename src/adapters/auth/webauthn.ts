import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type {
  CeremonyOptions,
  PasskeyCeremonies,
  RelyingParty,
} from '#application/ports/auth/passkey-ceremonies.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/access/passkey.ts';
import type { UserId } from '#domain/ids.ts';
import { isObject } from '#domain/text/json-text.ts';

const RELYING_PARTY_NAME = 'Fleetsift';

export const webauthn: PasskeyCeremonies = {
  creationOptions: async (party, { challenge, userId, email, name, known }) =>
    plain(
      await generateRegistrationOptions({
        rpName: RELYING_PARTY_NAME,
        rpID: party.id,
        userID: bytesOf(userHandleOf(userId)),
        userName: email,
        userDisplayName: name,
        challenge: bytesOf(challenge),
        timeout: CHALLENGE_LIFETIME_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId: id, transports }) => ({
          id,
          transports: [...transports],
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    ),
  requestOptions: async (party, challenge) =>
    plain(
      await generateAuthenticationOptions({
        rpID: party.id,
        challenge: bytesOf(challenge),
        timeout: CHALLENGE_LIFETIME_MS,
        userVerification: 'required',
      }),
    ),
  readClaim: (response) => {
    const id = member(response, 'id');
    const clientDataJSON = member(member(response, 'response'), 'clientDataJSON');
    if (typeof id !== 'string' || typeof clientDataJSON !== 'string') return null;
    const challenge = challengeIn(clientDataJSON);
    return challenge === null ? null : { credentialId: id, challenge };
  },
  verifyCreation: (party, { challenge }, response) =>
    nullIfRefused(async () => {
      const { verified, registrationInfo: info } = await verifyRegistrationResponse({
        ...expected(party, challenge),
        response: response as RegistrationResponseJSON,
      });
      if (!verified) return null;
      const { id: credentialId, publicKey, counter, transports = [] } = info.credential;
      return {
        credentialId,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transportsOf(transports),
        isBackedUp: info.credentialBackedUp,
      };
    }),
  verifyRequest: (party, { challenge }, response, { userId, credentialId, publicKey }) =>
    nullIfRefused(async () => {
      const { userHandle } = (response as AuthenticationResponseJSON).response;
      if (userHandle !== undefined && userHandle !== null && userHandle !== userHandleOf(userId)) return null;
      const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
        ...expected(party, challenge),
        response: response as AuthenticationResponseJSON,
        // 0 turns off the library's check, which reports a stale counter as a forgery. The caller checks the counter.
        credential: { id: credentialId, publicKey: bytesOf(publicKey), counter: 0 },
      });
      return verified ? { counter: info.newCounter, isBackedUp: info.credentialBackedUp } : null;
    }),
};

/** The id as 16 bytes, which say nothing about the person. */
function userHandleOf(userId: UserId): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = member(clientData, 'challenge');
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

function expected({ id, origin }: RelyingParty, challenge: string) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  };
}

/**
 * The library throws at every fault. Malformed answers cause errors of any kind, so every error counts as a refusal.
 */
async function nullIfRefused<T>(verify: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

const MAX_TRANSPORTS = 10;

/** The browser does not sign this list, so only short words are kept. */
function transportsOf(sent: readonly unknown[]): readonly string[] {
  return sent
    .filter((transport) => typeof transport === 'string')
    .filter((transport) => /^[a-z-]{1,20}$/.test(transport))
    .slice(0, MAX_TRANSPORTS);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

function plain(options: object): CeremonyOptions {
  return JSON.parse(JSON.stringify(options)) as CeremonyOptions;
}
