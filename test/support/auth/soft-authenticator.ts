/** An authenticator and its browser in software: makes resident ES256 credentials and signs with them (WebAuthn). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Faults of the authenticator or its browser that a test may ask for. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  readonly type?: string;
  readonly credentialId?: string;
}

type Options = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

export interface SoftAuthenticator {
  create(options: Options, wrong?: Misbehaviour): Answer;
  get(options: Options, wrong?: Misbehaviour): Answer;
}

interface Credential {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly userHandle: string;
}

/** A security key counts its uses (`countsUses`); a synchronized passkey provider does not. */
export function makeAuthenticator(origin: string, { countsUses = false } = {}): SoftAuthenticator {
  let credential: Credential | null = null;
  let uses = 0;

  const clientData = (type: string, options: Options, wrong: Misbehaviour): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? options['challenge'],
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authenticatorData = (rpId: string, wrong: Misbehaviour, attested: Buffer | null): Buffer => {
    const isVerified = wrong.isUserVerified ?? true;
    const flags = 0x01 | (isVerified ? 0x04 : 0) | 0x08 | 0x10 | (attested === null ? 0 : 0x40);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrong.counter ?? (countsUses ? ++uses : 0));
    return Buffer.concat([
      sha256(Buffer.from(wrong.rpId ?? rpId)),
      Buffer.from([flags]),
      counter,
      ...(attested === null ? [] : [attested]),
    ]);
  };

  return {
    create(options, wrong = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = wrong.credentialId ?? randomBytes(16).toString('base64url');
      const { id: userHandle } = options['user'] as { id: string };
      credential = { id, privateKey, userHandle };
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const idBytes = Buffer.from(id, 'base64url');
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, idBytes.length]),
        idBytes,
        // A COSE key: EC2, ES256, P-256, x, y.
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const { id: rpId = '' } = options['rp'] as { id?: string };
      const authData = authenticatorData(rpId, wrong, attested);
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      return toJson(id, {
        clientDataJSON: clientData('webauthn.create', options, wrong).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    get(options, wrong = {}) {
      if (credential === null) throw new Error('the authenticator has no credential');
      const data = clientData('webauthn.get', options, wrong);
      const authData = authenticatorData(String(options['rpId']), wrong, null);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), credential.privateKey);
      return toJson(wrong.credentialId ?? credential.id, {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: credential.userHandle,
      });
    },
  };
}

function toJson(id: string, response: Readonly<Record<string, unknown>>): Answer {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
