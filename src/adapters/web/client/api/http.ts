import type { Impact } from '#adapters/http/api-types.ts';
import { BASE_PATH } from './base-path.ts';
import type { Session } from './session.ts';

/** Contract: §1, §11. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
  readonly suggestions?: readonly string[];
}

/** Contract: §17, §18. */
export interface FilterUse {
  readonly kind: 'subscription' | 'filter';
  readonly id: string;
  readonly name: string;
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldProblem[];
  /** For support; null if no answer came. */
  readonly requestId?: string | null;
  /** In seconds; null if the API gives none. */
  readonly retryAfter?: number | null;
  /** With `count_changed`: how many devices match now. */
  readonly actualCount?: number | null;
  /** With `filter_in_use`: what relies on the filter. */
  readonly usedBy?: readonly FilterUse[];
  /** With `confirmation_needed`: what the change would do. */
  readonly impact?: Impact | null;
}

/** A problem document, or `offline` with status 0 if the server could not be reached. */
export class ApiError extends Error implements Required<Omit<Problem, 'detail'>> {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldProblem[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly actualCount: number | null;
  readonly usedBy: readonly FilterUse[];
  readonly impact: Impact | null;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? null;
    this.retryAfter = problem.retryAfter ?? null;
    this.actualCount = problem.actualCount ?? null;
    this.usedBy = problem.usedBy ?? [];
    this.impact = problem.impact ?? null;
  }
}

export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'offline';
}

/** True if the service cannot be reached or cannot answer. `ConnectionLine` tells the user and retries. */
export function isAway(error: unknown): boolean {
  return isOffline(error) || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly isLast?: boolean;
}

export interface ApiAnswer<T> {
  readonly data: T;
  readonly etag: string | null;
}

type AfterError = (error: ApiError) => Promise<void>;

/** The service sends this header after a change. Reads that send it back include the change (Contract: §15). */
const POSITION = 'X-Fleetsift-Position';

export class Api {
  readonly #session: Session;
  #position: string | null = null;
  /** Asks the user for fresh proof of identity. Resolves when the request can be repeated. */
  stepUp: AfterError = (error) => Promise.reject(error);
  signInAgain: AfterError = (error) => Promise.reject(error);
  /** Called after a 403: the user may have lost a permission. */
  onForbidden: () => void = () => undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Returns undefined for 204. Throws `ApiError`. */
  async call<T>(path: string, request: ApiRequest = {}): Promise<T> {
    return (await this.ask<T>(path, request)).data;
  }

  async ask<T>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    const response = await this.fetch(path, request);
    const data = response.status === 204 ? (undefined as T) : await readJson<T>(response);
    return { data, etag: response.headers.get('ETag') };
  }

  /** Returns the response unread, for streams. Throws `ApiError` for an error status. */
  async fetch(path: string, request: ApiRequest = {}): Promise<Response> {
    // Each remedy is tried once.
    const tried = new Set<Remedy>();
    for (;;) {
      const response = await this.#send(path, request).catch(keepApiError);
      if (response instanceof Response && response.ok) return response;
      const error = response instanceof Response ? await toApiError(response) : response;
      // If a renewed token is refused, the session is over.
      if (error.code === 'unauthenticated' && tried.has('renewal')) this.#session.end();
      if (error.status === 403) this.onForbidden();
      const remedy = this.#remedyFor(error);
      if (remedy === null || tried.has(remedy)) throw error;
      tried.add(remedy);
      if (remedy === 'step-up' || remedy === 'recent-sign-in') await this.stepUp(error);
      else if (remedy === 'sign-in') await this.signInAgain(error);
      else await this.#renew();
    }
  }

  #remedyFor({ status, code }: ApiError): Remedy | null {
    if (status !== 401) return null;
    if (this.#session.state.kind === 'ended') return 'sign-in';
    if (code === 'mfa_required') return 'step-up';
    if (code === 'recent_sign_in_required') return 'recent-sign-in';
    return code === 'unauthenticated' ? 'renewal' : null;
  }

  async #renew(): Promise<void> {
    await this.#session.renew().catch((error: unknown) => {
      if (this.#session.state.kind !== 'ended') throw error;
    });
  }

  async #send(path: string, request: ApiRequest): Promise<Response> {
    const { method = 'GET', query, body, headers, signal, isLast = false } = request;
    const token = await this.#session.token();
    const response = await send(`/api/v1${path}${queryOf(query)}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(this.#position !== null && { [POSITION]: this.#position }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      ...(isLast && { keepalive: true }),
    });
    this.#position = response.headers.get(POSITION) ?? this.#position;
    return response;
  }
}

type Remedy = 'renewal' | 'step-up' | 'recent-sign-in' | 'sign-in';

function keepApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Throws `ApiError` if the service cannot be reached. Rethrows an `AbortError`. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${BASE_PATH}${address}`, { ...init, redirect: 'error' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError({ status: 0, code: 'offline', detail: 'The server cannot be reached.' });
  }
}

/** Like `send`, but also throws `ApiError` for an error status. */
export async function sendOrThrow(address: string, init: RequestInit): Promise<Response> {
  const response = await send(address, init);
  if (!response.ok) throw await toApiError(response);
  return response;
}

export function postJson(
  address: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sendOrThrow(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export function readJson<T>(response: Response): Promise<T> {
  return unbroken(response, response.json());
}

/** Throws `ApiError` if the body breaks off. Rethrows an `AbortError`. */
async function unbroken<T>(response: Response, body: Promise<T>): Promise<T> {
  try {
    return await body;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError({
      status: 0,
      code: 'broken_off',
      detail: 'The answer of the server broke off.',
      requestId: response.headers.get('X-Request-Id'),
    });
  }
}

async function toApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiError({
    code: 'unknown',
    detail: `The server answered with status ${response.status}.`,
    ...problem,
    status: response.status,
    requestId: problem.requestId ?? response.headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  });
}

function queryOf(query: ApiRequest['query']): string {
  const sent = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return sent.length === 0
    ? ''
    : `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
