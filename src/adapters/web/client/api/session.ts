/**
 * The session of this browser (Contract: §14): its refresh token is a cookie that no script can read, its access
 * token lives in this tab's memory. All tabs share the session: signing out of one ends all.
 */
import { ApiError, send, toApiError, unbroken } from './http.ts';

export type SessionState =
  /** It is being found out. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-in' }
  /** It is over, and nobody has signed out: whoever signs in again goes on where they were. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'signed-out' };

interface Tokens {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Absent where the session is the same as before. */
  readonly user?: { readonly id: string };
}

/** What tabs tell each other. */
type Notice = 'signed-in' | 'signed-out';

const ROUTE = '/api/v1/auth/session';

/** An access token is renewed when it has this many milliseconds left. */
const RENEWAL_MARGIN_MS = 20_000;

export class Session {
  #state: SessionState = { kind: 'unknown' };
  #token: { readonly text: string; readonly until: number } | null = null;
  #renewing: Promise<void> | null = null;
  /** Whose session it is or was, until they sign out. */
  #userId: string | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #tabs = new BroadcastChannel('fleetsift-session');

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

  /** Calls the listener on each change of state; gives what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Finds out whether this browser has a session. Throws only where the server cannot be reached. */
  async begin(): Promise<void> {
    await this.renew().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    });
  }

  /** Throws `ApiError`: `mfa_required` where a code is needed, too. */
  async signIn(email: string, password: string, code?: string): Promise<void> {
    const response = await send(ROUTE, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password, ...(code !== undefined && { code }) }),
    });
    if (!response.ok) throw await toApiError(response);
    this.take(await unbroken(response, response.json()));
    this.#tabs.postMessage('signed-in' satisfies Notice);
  }

  /** Ends the session here and in every tab. What waits in `unsent.ts` has to go first. */
  async signOut(): Promise<void> {
    const response = await send(ROUTE, { method: 'DELETE' });
    if (!response.ok && response.status !== 401) throw await toApiError(response);
    this.leave();
    this.#tabs.postMessage('signed-out' satisfies Notice);
  }

  /** A token that is good for some seconds. Throws `ApiError` where there is no session any more. */
  async token(): Promise<string> {
    if (this.#state.kind === 'ended') throw NO_SESSION;
    if (this.#token === null || this.#token.until - RENEWAL_MARGIN_MS < Date.now()) await this.renew();
    if (this.#token === null) throw NO_SESSION;
    return this.#token.text;
  }

  /** A new access token, once for all that ask at the same time. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Takes the tokens of an answer, such as a step-up's. */
  take({ accessToken, expiresIn, user }: Tokens): void {
    if (user !== undefined && this.#userId !== null && user.id !== this.#userId) {
      // Nobody sees what somebody else has opened, nor does what they were doing.
      window.location.reload();
      return;
    }
    this.#userId = user?.id ?? this.#userId;
    this.#token = { text: accessToken, until: Date.now() + expiresIn * 1000 };
    this.#become({ kind: 'signed-in' });
  }

  /** The session is over, by itself or by somebody elsewhere. */
  end(): void {
    this.#token = null;
    if (this.#state.kind === 'signed-in') this.#become({ kind: 'ended' });
    else if (this.#state.kind === 'unknown') this.#become({ kind: 'signed-out' });
  }

  /** Nobody is signed in here any more. */
  leave(): void {
    this.#token = null;
    this.#userId = null;
    this.#become({ kind: 'signed-out' });
  }

  async #renew(): Promise<void> {
    const response = await send(`${ROUTE}/refresh`, { method: 'POST' });
    if (response.ok) return this.take(await unbroken(response, response.json()));
    const error = await toApiError(response);
    if (error.status === 401) this.end();
    throw error;
  }

  #become(state: SessionState): void {
    if (state.kind === this.#state.kind) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const NO_SESSION = new ApiError({
  status: 401,
  code: 'unauthenticated',
  detail: 'Signed out.',
});
