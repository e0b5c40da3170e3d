/**
 * `fleetsift/client`: the typed API for Node 20 and browsers. Refusals are values (`error`). The client fetches all
 * pages of a list, retries after 429 and 503, and always sees its own changes.
 */
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { Paths, Schemas } from './api-paths.ts';

export type { Paths, Schemas };

export interface ClientOptions {
  /** With its path, if it has one: `https://fleet.example.com`. */
  readonly baseUrl: string;
  /** `fsk_…`. Give either this or `accessToken`. */
  readonly apiKey?: string;
  /** A function is called before each request. */
  readonly accessToken?: string | (() => string | Promise<string>);
  /** Default: 4. */
  readonly maxRetries?: number;
  /** A refusal that asks for a longer wait is returned. Default: 60. */
  readonly maxRetrySeconds?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** `GET`, `POST`, … as in openapi-fetch: they return `data` or `error`, and the `response`. */
export interface Client extends FetchClient<Paths, 'application/json' | 'application/problem+json'> {
  /** All items, page after page. Throws a {@link RefusedError} if a page is refused. */
  each<P extends PagedPath>(path: P, init?: PageInit<P>): AsyncGenerator<Item<P>, void, undefined>;
  /**
   * The position of the last change. Reads by this client show that change, whichever replica answers. Copy it to
   * another client to give its reads the same guarantee.
   */
  position: string | null;
}

/** Paths of lists with a `cursor`. */
export type PagedPath = {
  [P in keyof Paths]: Paths[P] extends { get: { parameters: { query?: { cursor?: string } } } } ? P : never;
}[keyof Paths];

/** The list's filters and its page size (`limit`). */
export interface PageInit<P extends PagedPath> {
  readonly params?: { readonly query?: Omit<QueryOf<P>, 'cursor' | 'offset'> };
  readonly signal?: AbortSignal;
}

type QueryOf<P extends PagedPath> = NonNullable<
  Paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never
>;

/** An entry of a list's `data`. */
export type Item<P extends PagedPath> = Paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': { data: (infer T)[] } } } } };
}
  ? T
  : never;

/** A page of a list was refused. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** Absent if the answer came from a proxy. */
  readonly problem: Schemas['Problem'] | undefined;

  constructor(status: number, problem: Schemas['Problem'] | undefined) {
    super(problem?.detail ?? `the answer has the status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

const POSITION = 'X-Fleetsift-Position';

/** A typed client of one service. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, accessToken, fetch = (request) => globalThis.fetch(request) } = options;
  const { maxRetries = 4, maxRetrySeconds = 60 } = options;

  const send = async (request: Request): Promise<Response> => {
    if (apiKey !== undefined) request.headers.set('X-API-Key', apiKey);
    if (client.position !== null) request.headers.set(POSITION, client.position);
    for (let attempt = 0; ; attempt++) {
      if (accessToken !== undefined) {
        const token = typeof accessToken === 'string' ? accessToken : await accessToken();
        request.headers.set('Authorization', `Bearer ${token}`);
      }
      const response = await fetch(request.clone());
      const seconds = attempt < maxRetries ? secondsUntilRetry(request.method, response) : null;
      if (seconds === null || seconds > maxRetrySeconds) {
        client.position = laterOf(client.position, response.headers.get(POSITION));
        return response;
      }
      await response.body?.cancel();
      await wait(seconds, request.signal);
    }
  };

  const client: Client = Object.assign(
    createFetchClient<Paths, 'application/json' | 'application/problem+json'>({ baseUrl, fetch: send }),
    {
      position: null,
      each: (path: PagedPath, init: PageInit<PagedPath> = {}) => eachItem(client, path, init),
    },
  ) as Client;
  return client;
}

async function* eachItem(client: Client, path: PagedPath, { params, signal }: PageInit<PagedPath>) {
  let cursor: string | undefined;
  do {
    const query = { ...params?.query, ...(cursor !== undefined && { cursor }) };
    const init = { params: { query }, ...(signal && { signal }) } as never;
    const { data: page, error, response } = await client.GET(path, init);
    if (page === undefined) {
      throw new RefusedError(response.status, typeof error === 'object' ? error : undefined);
    }
    const { data, nextCursor } = page as {
      readonly data: readonly never[];
      readonly nextCursor: string | null;
    };
    yield* data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Null unless a retry is safe. After 429 nothing has changed. After 503 a change may have happened, because the
 * database can be lost during the commit, so only reads are retried.
 */
function secondsUntilRetry(method: string, { status, headers }: Response): number | null {
  const isSafe = status === 429 || (status === 503 && (method === 'GET' || method === 'HEAD'));
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return isSafe && seconds >= 0 ? seconds : null;
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Positions are two 32-bit hexadecimal numbers with a slash between them. */
function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return numberOf(other) > numberOf(one) ? other : one;
}

function numberOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
