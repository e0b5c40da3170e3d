/** The whole service with a clock that a test moves, and users who sign in as a client does. */
import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Overrides, Parts } from 'fleetsift';
import { currentTotpCode, otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { aUser, movableClock, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type Answer, askApp } from './ask-app.ts';
import { FILTERS, startService, type TestService } from './service.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: string;
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly user: Readonly<Record<string, unknown>>;
}

/** A user with a second factor. */
export interface EnrolledUser {
  readonly user: UserRecord;
  readonly totpSecret: string;
}

export interface AuthService extends TestService {
  now(): number;
  /** Moves the clock on. */
  pass(seconds: number): void;
  /** Asks with an access token, or with none. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Asks as from a socket of this peer. */
  askFrom(
    peer: string,
    path: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  login(body: object): Promise<Answer>;
  refresh(refreshToken: unknown): Promise<Answer>;
  /** Whether the service accepts the token now. */
  isGood(accessToken: string): Promise<boolean>;
  addUser(given?: Partial<UserRecord>): Promise<UserRecord>;
  addEnrolledUser(given?: Partial<UserRecord>): Promise<EnrolledUser>;
  /** A code that has not been used. The clock moves on to the next time step first. */
  nextCode(totpSecret: string): string;
  signIn(user: UserRecord, code?: string): Promise<Tokens>;
  /** Signs in with a fresh code. */
  signInWithMfa(enrolled: EnrolledUser): Promise<Tokens>;
}

export const AUTH = '/api/v1/auth';

/** The tokens of a new session. Throws if the answer has none. */
export function tokensOf({ status, text, body }: Answer): Tokens {
  if (status !== 200) throw new Error(`no tokens were answered: ${status} ${text}`);
  return body as Tokens;
}

/**
 * Replaces real hashes, which are slow on purpose and have their own tests. `secrets-at-rest` and the
 * end-to-end tests use real ones.
 */
export const QUICK_PASSWORDS = {
  hashPassword: async (password) => quickHash(password),
  verifyPassword: async (storedHash, password) => ({
    matches: storedHash === quickHash(password),
    isOutdated: false,
  }),
} satisfies Pick<Parts, 'hashPassword' | 'verifyPassword'>;

function quickHash(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

export async function startAuthService(overrides: Overrides = {}): Promise<AuthService> {
  const { clock, moveTo } = movableClock(SOME_INSTANT);
  const service = await startService({ overrides: { clock, ...QUICK_PASSWORDS, ...overrides } });
  const { backend } = service.composition;
  const pass = (seconds: number) => moveTo(clock() + seconds * 1_000);

  const send = (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    bindings?: Partial<HttpBindings>,
  ): Promise<Answer> => {
    if (body === undefined) return askApp(service.composition, method, path, body, headers, bindings);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    return askApp(service.composition, method, path, text, { ...length, ...headers }, bindings);
  };

  const ask: AuthService['ask'] = (method, path, body, token) =>
    send(method, path, body, token === undefined ? {} : { Authorization: `Bearer ${token}` });

  const addUser: AuthService['addUser'] = async (given = {}) => {
    const user = aUser(given);
    await loadFleet(backend, [user]);
    return user;
  };

  const nextCode = (totpSecret: string) => {
    pass(30);
    return currentTotpCode(totpSecret, clock());
  };

  const login: AuthService['login'] = (body) => ask('POST', `${AUTH}/login`, body);

  const signIn: AuthService['signIn'] = async ({ email, password }, code) => {
    const answer = await login({ email, password, code });
    if (answer.status !== 200) throw new Error(`nobody signed in: ${answer.status} ${answer.text}`);
    return answer.body as Tokens;
  };

  return {
    ...service,
    now: clock,
    pass,
    ask,
    askFrom: (remoteAddress, path, body, headers = {}) => {
      const incoming = { socket: { remoteAddress } } as unknown as HttpBindings['incoming'];
      return send('POST', path, body, headers, { incoming });
    },
    login,
    refresh: (refreshToken) => ask('POST', `${AUTH}/refresh`, { refreshToken }),
    isGood: async (accessToken) => (await ask('GET', FILTERS, undefined, accessToken)).status === 200,
    addUser,
    addEnrolledUser: async (given = {}) => {
      const totpSecret = otpauthTotp.newSecret();
      return { user: await addUser({ totpSecret, ...given }), totpSecret };
    },
    nextCode,
    signIn,
    signInWithMfa: ({ user, totpSecret }) => signIn(user, nextCode(totpSecret)),
  };
}
