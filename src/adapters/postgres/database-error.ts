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

const BY_STATE: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['57014', 'stopped'],
  ['54000', 'too-complex'],
  ['54001', 'too-complex'],
  ['54023', 'too-complex'],
  ['2201B', 'invalid-pattern'],
  ['23503', 'missing-reference'],
  ['23505', 'duplicate'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  ['57P05', 'unavailable'],
  ['25P03', 'unavailable'],
  ['53100', 'unavailable'],
  ['53200', 'unavailable'],
  ['53300', 'unavailable'],
  ['25006', 'unavailable'],
]);

/** Socket errors of Node; `pg` passes them on as they are. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Words of `pg` and of MikroORM for a connection that ended, which carry no code. */
const LOST_CONNECTION =
  /connection terminated|connection ended|connection error|not queryable|timeout exceeded when trying to connect|timeout expired|cannot use a pool after|client was closed/i;

/** What went wrong, looking through the causes that libraries wrap around the driver's error. */
export function classifyFailure(error: unknown): DatabaseFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code: unknown = 'code' in at ? at.code : undefined;
    if (typeof code === 'string') {
      const known = BY_STATE.get(code);
      if (known !== undefined) return known;
      if (code.startsWith('08') || SOCKET_CODES.has(code)) return 'unavailable';
    }
    if (LOST_CONNECTION.test(at.message)) return 'unavailable';
    if (at instanceof AggregateError && at.errors.some((inner) => classifyFailure(inner) === 'unavailable')) {
      return 'unavailable';
    }
  }
  return 'defect';
}

/** Whether the failure says that the database cannot be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return classifyFailure(error) === 'unavailable';
}
