/** What a failure of the database means to the service, by SQLSTATE, Node's error code or message. */

export type DatabaseFailure =
  /** The database is unreachable or dropped the connection: retry shortly. */
  | 'unavailable'
  /** The statement was cancelled, by its time limit or by us. */
  | 'stopped'
  /** The statement exceeds the server's stack or grammar; a filter never should. */
  | 'too-complex'
  /** PostgreSQL rejects a regular expression. */
  | 'invalid-pattern'
  /** A row refers to one that does not exist. */
  | 'missing-reference'
  /** A row with this key exists already. */
  | 'duplicate'
  /** Two transactions conflicted: run it again. */
  | 'conflict'
  /** Anything else is a bug of ours. */
  | 'defect';

/** The policies by whose names a change is refused whose partner is in maintenance. */
export const MAINTENANCE_POLICY = 'in_maintenance';

/** The database is up, but no connection was free in time: retry shortly. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';

  constructor() {
    super('the database is too busy');
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
  // A database that accepts no connections (ALLOW_CONNECTIONS false) reports this state.
  ['55000', 'unavailable'],
  ['55P03', 'conflict'],
  ['57014', 'stopped'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  ['57P04', 'unavailable'],
  ['57P05', 'unavailable'],
]);

/** By SQLSTATE class, the first two characters, if all its states mean the same. */
const BY_CLASS: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['08', 'unavailable'],
  ['28', 'unavailable'],
  ['53', 'unavailable'],
  ['54', 'too-complex'],
  ['58', 'unavailable'],
]);

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Node's socket errors, which `pg` passes on unchanged. */
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

/** Node's codes for untrusted certificates and other TLS failures. */
const TLS_CODE =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;

/** Messages of `pg` and MikroORM for a lost connection, whose errors have no code. */
const LOST_CONNECTION =
  /connection terminated|connection ended|connection error|not queryable|timeout exceeded when trying to connect|timeout expired|cannot use a pool after|client was closed|driver has already been destroyed/i;

/** How deep a chain of causes is followed. */
const MAX_CAUSES = 5;

/** Classifies the error, or the first of its causes that is known. */
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

/** Whether the change was refused because it is one of a partner under maintenance. */
export function isRefusedInMaintenance(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    const code: unknown = 'code' in at ? at.code : undefined;
    if (code === 'FM001') return true;
    // What a user sent is in no such message: it names the policy and the table.
    if (code === '42501' && at.message.includes(`row-level security policy "${MAINTENANCE_POLICY}`))
      return true;
  }
  return false;
}

/** Whether the failure means that the database cannot be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return classifyFailure(error) === 'unavailable';
}

function classifyOne(error: Error): DatabaseFailure {
  if (error instanceof DatabaseBusyError) return 'unavailable';
  const code: unknown = 'code' in error ? error.code : undefined;
  // With a SQLSTATE, the message may quote what a user sent, and must not be matched.
  if (typeof code !== 'string') return LOST_CONNECTION.test(error.message) ? 'unavailable' : 'defect';
  if (SOCKET_CODES.has(code) || TLS_CODE.test(code)) return 'unavailable';
  if (!SQLSTATE.test(code)) return 'defect';
  return BY_STATE.get(code) ?? BY_CLASS.get(code.slice(0, 2)) ?? 'defect';
}
