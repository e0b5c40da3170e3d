/**
 * Contract: §14. The refresh token is a cookie that scripts cannot read, and the access token stays in memory. All tabs
 * share the session.
 */
import { BASE_PATH } from './base-path.ts';
import { ApiError, postJson, readJson, sendOrThrow } from './http.ts';

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-in' }
  /** The session expired or was revoked. Signing in again continues on the same page. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'signed-out' };

interface Tokens {
  readonly accessToken: string;
  readonly expiresIn: number;
  /** Absent after a step-up, because the user stays the same. */
  readonly user?: { readonly id: string };
}

type Notice = 'signed-in' | 'signed-out';

const ROUTE = '/api/v1/auth/session';

const RENEWAL_MARGIN_MS = 20_000;

export class Session {
  #state: SessionState = { kind: 'unknown' };
  #token: { readonly text: string; readonly until: number } | null = null;
  #renewing: Promise<void> | null = null;
  /** Kept after the session ends, so a sign-in as another person is noticed. */
  #userId: string | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #tabs = new BroadcastChannel(`fleetsift-session${BASE_PATH}`);

  constructor() {
    this.#tabs.onmessage = ({ data }: MessageEvent<Notice>) => {
      if (data === 'signed-out') return this.leave();
      this.#token = null;
      void this.renew().catch(() => undefined);
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Throws only if the server cannot be reached. */
  async begin(): Promise<void> {
    await this.renew().catch(ignoreNoSession);
  }

  /** Throws `ApiError` `mfa_required` if a code is missing. */
  signIn(email: string, password: string, code?: string): Promise<void> {
    return this.#signIn({ email, password, ...(code !== undefined && { code }) });
  }

  /** `passkey` is the answer from `provePasskey`. */
  signInByPasskey(passkey: unknown): Promise<void> {
    return this.#signIn({ passkey });
  }

  async #signIn(body: object): Promise<void> {
    this.take(await readJson(await postJson(ROUTE, body)));
    this.#tabs.postMessage('signed-in' satisfies Notice);
  }

  /** Call `sendUnsent` first, or waiting requests are lost. */
  async signOut(): Promise<void> {
    await sendOrThrow(ROUTE, { method: 'DELETE' }).catch(ignoreNoSession);
    this.leave();
    this.#tabs.postMessage('signed-out' satisfies Notice);
  }

  /** Throws `ApiError` without a session. */
  async token(): Promise<string> {
    if (this.#state.kind === 'ended') throw NO_SESSION;
    if (this.#token === null || this.#token.until - RENEWAL_MARGIN_MS < Date.now()) await this.renew();
    if (this.#token === null) throw NO_SESSION;
    return this.#token.text;
  }

  /** Concurrent callers share one request. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  take({ accessToken, expiresIn, user }: Tokens): void {
    if (user !== undefined && this.#userId !== null && user.id !== this.#userId) {
      // The reload drops the previous person's data.
      window.location.reload();
      return;
    }
    this.#userId = user?.id ?? this.#userId;
    this.#token = { text: accessToken, until: Date.now() + expiresIn * 1000 };
    this.#become({ kind: 'signed-in' });
  }

  end(): void {
    this.#token = null;
    if (this.#state.kind === 'signed-in') this.#become({ kind: 'ended' });
    else if (this.#state.kind === 'unknown') this.#become({ kind: 'signed-out' });
  }

  leave(): void {
    this.#token = null;
    this.#userId = null;
    this.#become({ kind: 'signed-out' });
  }

  async #renew(): Promise<void> {
    try {
      this.take(await readJson(await sendOrThrow(`${ROUTE}/refresh`, { method: 'POST' })));
    } catch (error) {
      if (isNoSession(error)) this.end();
      throw error;
    }
  }

  #become(state: SessionState): void {
    if (state.kind === this.#state.kind) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

function isNoSession(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function ignoreNoSession(error: unknown): void {
  if (!isNoSession(error)) throw error;
}

const NO_SESSION = new ApiError({
  status: 401,
  code: 'unauthenticated',
  detail: 'Signed out.',
});
