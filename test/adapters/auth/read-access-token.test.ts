import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import fc from 'fast-check';
import { generateKeyPair } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeReadAccessToken, type ReadAccessToken } from '#adapters/auth/read-access-token.ts';
import {
  ALICE,
  type AuthWorld,
  encodePart,
  goodParts,
  LIFETIME_MS,
  makeAuthWorld,
  START_MS,
  signingInput,
  signParts,
  stolenKey,
} from './auth-world.ts';

const START_SECONDS = START_MS / 1_000;
const SESSION = { userId: ALICE, sessionId: 'a-session', authEpoch: 3 };
const GOOD = { ...SESSION, mfaVerifiedAt: null, mfaEpoch: null };

let world: AuthWorld;
let read: ReadAccessToken;
let kid: string;
let key: KeyObject;

beforeEach(async () => {
  world = makeAuthWorld();
  read = makeReadAccessToken({ keys: world.keys, clock: world.clock.wall });
  ({ kid, key } = await stolenKey(world));
});

/** A good token except for the given header members; undefined removes one. */
function withHeader(changes: Record<string, unknown>): string {
  const { header, payload } = goodParts(kid);
  return signParts({ header: { ...header, ...changes }, payload }, key);
}

/** A good token except for the given claims; undefined removes one. */
function withClaims(changes: Record<string, unknown>): string {
  const { header, payload } = goodParts(kid);
  return signParts({ header, payload: { ...payload, ...changes } }, key);
}

describe('a good token', () => {
  test('is read', async () => {
    const { token } = await world.issue(SESSION);
    expect(await read(token)).toStrictEqual(GOOD);
  });

  test('that a test signs by hand is read, so that the refusals below have one cause each', async () => {
    expect(await read(signParts(goodParts(kid), key))).toStrictEqual(GOOD);
  });

  test('says when MFA was verified', async () => {
    const { token } = await world.issue({ ...SESSION, mfa: { verifiedAt: START_MS - 60_000, epoch: 2 } });
    expect(await read(token)).toStrictEqual({ ...GOOD, mfaVerifiedAt: START_MS - 60_000, mfaEpoch: 2 });
  });

  test.each([
    ['our audience among others', { aud: ['urn:other', 'urn:fleetsift:api'] }],
    ['our audience as a list', { aud: ['urn:fleetsift:api'] }],
    ['a claim we do not know', { role: 'admin' }],
    ['a past nbf', { nbf: START_SECONDS - 10 }],
  ])('with %s is read', async (_name, changes) => {
    expect(await read(withClaims(changes))).toStrictEqual(GOOD);
  });

  test('may have the auth epoch zero', async () => {
    expect(await read(withClaims({ aep: 0 }))).toStrictEqual({ ...GOOD, authEpoch: 0 });
  });

  test('whose subject is in upper case stands for the same user', async () => {
    expect(await read(withClaims({ sub: ALICE.toUpperCase() }))).toStrictEqual(GOOD);
  });
});

describe('another algorithm is refused', () => {
  test.each(['none', 'None', 'NONE', 'nOnE', 'none ', ''])('alg %j without a signature', async (alg) => {
    const { header, payload } = goodParts(kid);
    const unsigned = signingInput({ header: { ...header, alg }, payload });
    expect(await read(`${unsigned}.`)).toBe(null);
    expect(await read(unsigned)).toBe(null);
  });

  test.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    'Ed25519',
    'eddsa',
    'EDDSA',
    'Ed448',
    'HS256',
    'RS256',
    'ES256',
    'PS256',
    '',
    null,
    25_519,
    ['EdDSA'],
    undefined,
  ])('alg %j with a signature of our own key', async (alg) => {
    expect(await read(withHeader({ alg }))).toBe(null);
  });

  test.each(['HS256', 'HS384', 'HS512'])('%s with the public key as its secret', async (alg) => {
    const { header, payload } = goodParts(kid);
    const input = signingInput({ header: { ...header, alg }, payload });
    const publicKey = createPublicKey(key);
    const published = (await world.keys.publicKeys()).keys[0];
    const secrets = [
      Buffer.from(published?.x ?? '', 'base64url'),
      Buffer.from(published?.x ?? ''),
      Buffer.from(JSON.stringify(published)),
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      Buffer.alloc(0),
    ];
    for (const secret of secrets) {
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url');
      expect(await read(`${input}.${mac}`)).toBe(null);
    }
  });

  test.each([
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ])('%s with a key of that kind', async (alg, foreign) => {
    const { header, payload } = goodParts(kid);
    for (const claimed of [alg, 'EdDSA']) {
      const input = signingInput({ header: { ...header, alg: claimed }, payload });
      const signature = sign('sha256', Buffer.from(input), { key: foreign, dsaEncoding: 'ieee-p1363' });
      expect(await read(`${input}.${signature.toString('base64url')}`)).toBe(null);
    }
  });
});

describe('another key is refused', () => {
  test('a key that is not ours, under the name of ours', async () => {
    const foreign = generateKeyPairSync('ed25519').privateKey;
    expect(await read(signParts(goodParts(kid), foreign))).toBe(null);
  });

  test('our key, under a name that is unknown', async () => {
    expect(await read(signParts(goodParts('0197a000-0000-7000-8000-00000000ffff'), key))).toBe(null);
  });

  test('one of our keys under the name of another of ours', async () => {
    world.clock.advance(30 * 24 * 3_600_000);
    await world.keys.signingKey();
    const other = world.keyStore.keys.find((stored) => stored.kid !== kid);
    const { payload } = goodParts(kid);
    const iat = world.clock.wall() / 1_000;
    const parts = {
      header: { alg: 'EdDSA', typ: 'at+jwt', kid },
      payload: { ...payload, iat, exp: iat + 900 },
    };
    expect(await read(signParts(parts, key))).toStrictEqual(GOOD);
    const misnamed = { ...parts, header: { ...parts.header, kid: other?.kid } };
    expect(await read(signParts(misnamed, key))).toBe(null);
  });

  test.each([undefined, '', null, 7, ['a'], '../../etc/passwd', '__proto__', "' OR 1=1 --"])(
    'kid %j',
    async (named) => {
      expect(await read(withHeader({ kid: named }))).toBe(null);
    },
  );

  test('a key that the token brings along', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    const { header, payload } = goodParts(kid);
    for (const brought of [{ jwk }, { jwk, kid: undefined }, { jku: 'https://evil.example/jwks.json' }]) {
      const parts = { header: { ...header, ...brought }, payload };
      expect(await read(signParts(parts, privateKey))).toBe(null);
    }
  });
});

describe('a header that we never write is refused, even with our own signature', () => {
  test.each([
    ['jwk', { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }],
    ['jku', 'https://evil.example/jwks.json'],
    ['x5u', 'https://evil.example/cert.pem'],
    ['x5c', ['MIIB']],
    ['crit', ['exp']],
    ['crit', []],
    ['b64', false],
    ['cty', 'JWT'],
    ['zip', 'DEF'],
  ])('%s: %j', async (member, value) => {
    expect(await read(withHeader({ [member]: value }))).toBe(null);
  });

  test('b64 with its crit', async () => {
    expect(await read(withHeader({ b64: false, crit: ['b64'] }))).toBe(null);
  });

  test.each(['JWT', 'rt+jwt', 'refresh+jwt', 'id+jwt', 'at+JWT ', 'AT+JWT', '', null, 1, undefined])(
    'typ %j',
    async (typ) => {
      expect(await read(withHeader({ typ }))).toBe(null);
    },
  );
});

describe('a claim that is missing or wrong is refused', () => {
  test.each(['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'sid', 'aep'])('no %s', async (claim) => {
    expect(await read(withClaims({ [claim]: undefined }))).toBe(null);
    expect(await read(withClaims({ [claim]: null }))).toBe(null);
  });

  test.each([
    ['iss', 'urn:other'],
    ['iss', 'urn:fleetsift '],
    ['iss', 'URN:FLEETSIFT'],
    ['iss', ['urn:fleetsift']],
    ['iss', ''],
    ['aud', 'urn:other'],
    ['aud', 'urn:fleetsift'],
    ['aud', ''],
    ['aud', []],
    ['aud', ['urn:other', 'urn:another']],
    ['aud', [['urn:fleetsift:api']]],
    ['aud', { 0: 'urn:fleetsift:api' }],
    ['sub', 'alice'],
    ['sub', ''],
    ['sub', `${ALICE} `],
    ['sub', `{${ALICE}}`],
    ['sub', ALICE.replaceAll('-', '')],
    ['sub', 1],
    ['sub', [ALICE]],
    ['jti', ''],
    ['jti', 1],
    ['sid', ''],
    ['sid', 1],
    ['aep', '3'],
    ['aep', 3.5],
    ['aep', -1],
    ['aep', 2 ** 53],
    ['iat', '1770710400'],
    ['iat', START_SECONDS + 0.5],
    ['iat', -1],
    ['exp', String(START_SECONDS + 900)],
    ['exp', START_SECONDS + 900.5],
    ['exp', true],
    ['nbf', 'soon'],
    ['mfa_at', '1770710400'],
    ['mfa_at', null],
    ['mfa_at', 1.5],
    ['mep', '2'],
    ['mep', -1],
  ])('%s: %j', async (claim, value) => {
    expect(await read(withClaims({ [claim]: value }))).toBe(null);
  });

  test('an exp that is infinite', async () => {
    const { header, payload } = goodParts(kid);
    const text = JSON.stringify({ ...payload, exp: 'EXP' }).replace('"EXP"', '1e999');
    const input = `${encodePart(header)}.${Buffer.from(text).toString('base64url')}`;
    const signature = sign(null, Buffer.from(input), key).toString('base64url');
    expect(await read(`${input}.${signature}`)).toBe(null);
  });

  test.each(['null', '[]', '"text"', '1', '', '{', '{"iss":"urn:fleetsift"', '\uFEFF{}'])(
    'a payload of %j',
    async (text) => {
      const input = `${encodePart(goodParts(kid).header)}.${Buffer.from(text).toString('base64url')}`;
      const signature = sign(null, Buffer.from(input), key).toString('base64url');
      expect(await read(`${input}.${signature}`)).toBe(null);
    },
  );
});

describe('time', () => {
  test('a token is good until the last millisecond before it expires, and then void', async () => {
    const { token } = await world.issue(SESSION);
    world.clock.advance(LIFETIME_MS - 1);
    expect(await read(token)).toStrictEqual(GOOD);
    world.clock.advance(1);
    expect(await read(token)).toBe(null);
  });

  test('a remembered token expires to the millisecond as well', async () => {
    const { token } = await world.issue(SESSION);
    expect(await read(token)).toStrictEqual(GOOD);
    world.clock.advance(LIFETIME_MS - 1);
    expect(await read(token)).toStrictEqual(GOOD);
    world.clock.advance(1);
    expect(await read(token)).toBe(null);
  });

  test.each([
    ['exp', START_SECONDS],
    ['exp', START_SECONDS - 1],
    ['exp', START_SECONDS - 86_400],
    ['exp', 0],
    ['iat', START_SECONDS + 6],
    ['iat', START_SECONDS + 86_400],
    ['nbf', START_SECONDS + 6],
    ['nbf', START_SECONDS + 86_400],
  ])('%s at %d is refused', async (claim, seconds) => {
    expect(await read(withClaims({ [claim]: seconds }))).toBe(null);
  });

  test.each(['iat', 'nbf'])('%s may be five seconds ahead', async (claim) => {
    expect(await read(withClaims({ [claim]: START_SECONDS + 5 }))).toStrictEqual(GOOD);
  });

  test('a remembered token is void while the clock is set back to before its issue', async () => {
    const { token } = await world.issue(SESSION);
    expect(await read(token)).toStrictEqual(GOOD);
    world.clock.setWall(START_MS - 6_000);
    expect(await read(token)).toBe(null);
  });
});

describe('a token that was tampered with is refused', () => {
  test('at any character, even once the good one is remembered', async () => {
    const { token } = await world.issue(SESSION);
    expect(await read(token)).toStrictEqual(GOOD);
    for (let index = 0; index < token.length; index += 1) {
      const replacement = token[index] === 'A' ? 'B' : 'A';
      expect(await read(token.slice(0, index) + replacement + token.slice(index + 1))).toBe(null);
    }
  });

  test('in the unused bits at the end of its signature', async () => {
    const { token } = await world.issue(SESSION);
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
      (character) => character !== token.at(-1),
    );
    for (const character of others) expect(await read(token.slice(0, -1) + character)).toBe(null);
  });

  test.each([
    ['a space before', (token: string) => ` ${token}`],
    ['a space after', (token: string) => `${token} `],
    ['a line feed after', (token: string) => `${token}\n`],
    ['a space in the signature', (token: string) => `${token.slice(0, -4)} ${token.slice(-4)}`],
    ['padding', (token: string) => `${token}==`],
    ['a part more', (token: string) => `${token}.AAAA`],
    ['a part less', (token: string) => token.slice(0, token.lastIndexOf('.'))],
    ['an empty signature', (token: string) => token.slice(0, token.lastIndexOf('.') + 1)],
    ['an empty payload', (token: string) => token.replace(/\.[^.]+\./, '..')],
    ['an empty header', (token: string) => token.replace(/^[^.]+/, '')],
    ['a NUL after', (token: string) => `${token}\0`],
    ['its scheme', (token: string) => `Bearer ${token}`],
  ])('with %s', async (_name, change) => {
    const { token } = await world.issue(SESSION);
    expect(await read(change(token))).toBe(null);
  });

  test('with another payload under its signature', async () => {
    const { token } = await world.issue(SESSION);
    const [header = '', , signature = ''] = token.split('.');
    const { payload } = goodParts(kid);
    const raised = encodePart({ ...payload, sub: '0197a000-0000-7000-8000-00000000b0b0' });
    expect(await read(`${header}.${raised}.${signature}`)).toBe(null);
  });
});

describe('garbage is refused without asking the store', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'garbage'],
    ['dots', '..'],
    ['many dots', '.'.repeat(4_000)],
    ['five parts, as of an encrypted token', 'a.b.c.d.e'],
    ['an API key', `fsk_${'A'.repeat(43)}`],
    ['text beyond ASCII', 'ä.ö.ü'],
    ['a lone surrogate', '\ud800.\ud800.\ud800'],
    ['a header that is no JSON', `AAAA.AAAA.${'A'.repeat(86)}`],
    ['a header that is a list', `${encodePart([])}.AAAA.${'A'.repeat(86)}`],
    ['a deep header', `${Buffer.from('['.repeat(2_000)).toString('base64url')}.AAAA.${'A'.repeat(86)}`],
  ])('%s', async (_name, token) => {
    const before = world.keyStore.lists;
    world.clock.advance(60_000);
    expect(await read(token)).toBe(null);
    expect(world.keyStore.lists).toBe(before);
  });

  test('a token that is too long, though its signature is good', async () => {
    const before = world.keyStore.lists;
    world.clock.advance(60_000);
    expect(await read(withClaims({ padding: 'x'.repeat(4_096) }))).toBe(null);
    expect(world.keyStore.lists).toBe(before);
  });

  test('any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        expect(await read(text)).toBe(null);
      }),
    );
  });

  test('random parts in the form of a token', async () => {
    const part = fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).toString('base64url'));
    await fc.assert(
      fc.asyncProperty(part, part, async (header, payload) => {
        expect(await read(`${header}.${payload}.${randomBytes(64).toString('base64url')}`)).toBe(null);
      }),
    );
  });

  test('random JSON under a good header and signature', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const input = `${encodePart(goodParts(kid).header)}.${Buffer.from(text).toString('base64url')}`;
        const signature = sign(null, Buffer.from(input), key).toString('base64url');
        expect(await read(`${input}.${signature}`)).toBe(null);
      }),
    );
  });
});

test('the signature of a token is verified once, however often it is presented', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify');
  const { token } = await world.issue(SESSION);
  for (let count = 0; count < 10; count += 1) expect(await read(token)).toStrictEqual(GOOD);
  expect(verify).toHaveBeenCalledTimes(1);
  verify.mockRestore();
});

test('a key that cannot verify is a fault, not a bad token', async () => {
  const { privateKey } = await generateKeyPair('EdDSA');
  const broken = makeReadAccessToken({
    keys: { ...world.keys, verificationKey: async () => privateKey },
    clock: world.clock.wall,
  });
  const { token } = await world.issue(SESSION);
  await expect(broken(token)).rejects.toThrow(TypeError);
});

describe('the key store', () => {
  test('rejects the reading of a well-formed token while it fails', async () => {
    const { token } = await world.issue(SESSION);
    world.clock.advance(60_000);
    world.keyStore.failure = new Error('database down');
    await expect(read(token)).rejects.toThrow('database down');
    world.keyStore.failure = null;
    expect(await read(token)).toStrictEqual(GOOD);
  });

  test('voids a remembered token when its key is removed', async () => {
    const { token } = await world.issue(SESSION);
    expect(await read(token)).toStrictEqual(GOOD);
    world.keyStore.keys = [];
    world.clock.advance(30_000);
    expect(await read(token)).toBe(null);
  });
});
