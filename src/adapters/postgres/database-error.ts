/** What a failure of the database means, by SQLSTATE: one total look at every class that can come up. */

export type DatabaseFailure =
  /** The database cannot be reached, or had to drop the connection: try again in a moment. */
  | 'unavailable'
  /** The statement was stopped: by its time limit, or because nobody waits for it. */
  | 'stopped'
  /** The statement was more than the server's stack or grammar can take; a filter should never be. */
  | 'too-complex'
  /** A regular expression that PostgreSQL does not take. */
  | 'invalid-pattern'
  /** A row refers to one that is not there. */
  | 'missing-reference'
  /** A row with this key is there already. */
  | 'duplicate'
  /** Two transactions got in each other's way: run it again. */
  | 'conflict'
  /** Anything else is a defect of ours. */
  | 'defect';

/** The database is there and has no connection left for this in time: try again in a moment. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';

  constructor() {
    super('the database has more to do than it can');
  }
}

/** By whole SQLSTATE. */
const BY_STATE: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['2201B', 'invalid-pattern'],
  ['23503', 'missing-reference'],
  ['23505', 'duplicate'],
  ['25006', 'unavailable'],
  ['25P03', 'unavailable'],
  ['25P04', 'unavailable'],
  ['3D000', 'unavailable'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  // A database that takes nobody in (ALLOW_CONNECTIONS false) says so with this state.
  ['55000', 'unavailable'],
  ['55P03', 'conflict'],
  ['57014', 'stopped'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  ['57P04', 'unavailable'],
  ['57P05', 'unavailable'],
]);

/** By the class of an SQLSTATE, its first two characters, where every state of it means the same. */
const BY_CLASS: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['08', 'unavailable'],
  ['28', 'unavailable'],
  ['53', 'unavailable'],
  ['54', 'too-complex'],
  ['58', 'unavailable'],
]);

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Socket errors of Node; `pg` passes them on as they are. */
const SOCKET_CODES = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Words of `pg` and of MikroORM for a connection that ended, which carry no code. */
const LOST_CONNECTION =
  /connection terminated|connection ended|connection error|not queryable|timeout exceeded when trying to connect|timeout expired|cannot use a pool after|client was closed|driver has already been destroyed/i;

/** How far causes are followed. */
const MAX_CAUSES = 5;

/** What went wrong, looking through the causes that libraries wrap around the driver's error. */
export function classifyFailure(error: unknown): DatabaseFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    const failure = classifyOne(at);
    if (failure !== 'defect') return failure;
    if (at instanceof AggregateError && at.errors.some((inner) => isDatabaseUnavailable(inner))) {
      return 'unavailable';
    }
  }
  return 'defect';
}

/** Whether the failure says that the database cannot be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return classifyFailure(error) === 'unavailable';
}

function classifyOne(error: Error): DatabaseFailure {
  if (error instanceof DatabaseBusyError) return 'unavailable';
  const code: unknown = 'code' in error ? error.code : undefined;
  // The words of an error that has a state may quote what a user sent.
  if (typeof code !== 'string') return LOST_CONNECTION.test(error.message) ? 'unavailable' : 'defect';
  if (SOCKET_CODES.has(code)) return 'unavailable';
  if (!SQLSTATE.test(code)) return 'defect';
  return BY_STATE.get(code) ?? BY_CLASS.get(code.slice(0, 2)) ?? 'defect';
}
