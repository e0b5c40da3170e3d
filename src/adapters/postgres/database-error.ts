export type DatabaseFailure =
  /** The database is unreachable or dropped the connection: retry shortly. */
  | 'unavailable'
  /** The statement was canceled by its time limit or by the service. */
  | 'stopped'
  /** The statement exceeds a limit of the server, such as its stack depth. The limits on filters should prevent it. */
  | 'too-complex'
  | 'invalid-pattern'
  | 'missing-reference'
  | 'duplicate'
  /** Transactions conflicted: run this one again. */
  | 'conflict'
  | 'defect';

/** Policies that refuse changes during maintenance have names with this prefix. */
export const MAINTENANCE_POLICY = 'in_maintenance';

/** No connection or lock became free in time: retry shortly. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';

  constructor() {
    super('the database is too busy');
  }
}

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
  // A database with ALLOW_CONNECTIONS false reports this state.
  ['55000', 'unavailable'],
  ['55P03', 'conflict'],
  ['57014', 'stopped'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  ['57P04', 'unavailable'],
  ['57P05', 'unavailable'],
]);

const BY_CLASS: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['08', 'unavailable'],
  ['28', 'unavailable'],
  ['53', 'unavailable'],
  ['54', 'too-complex'],
  ['58', 'unavailable'],
]);

const SQLSTATE = /^[0-9A-Z]{5}$/;

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

/** `pg` and MikroORM report a lost connection without a code. */
const LOST_CONNECTION =
  /connection terminated|connection ended|connection error|not queryable|timeout exceeded when trying to connect|timeout expired|cannot use a pool after|client was closed|driver has already been destroyed/i;

const MAX_CAUSES = 5;

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

export function isRefusedInMaintenance(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    const code: unknown = 'code' in at ? at.code : undefined;
    if (code === 'FM001') return true;
    // The message quotes no user input, only the names of a policy and a table.
    if (code === '42501' && at.message.includes(`row-level security policy "${MAINTENANCE_POLICY}`))
      return true;
  }
  return false;
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';

export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    if ('code' in at && at.code === DISK_FULL) return true;
  }
  return false;
}

export function isDatabaseUnavailable(error: unknown): boolean {
  return classifyFailure(error) === 'unavailable';
}

function classifyOne(error: Error): DatabaseFailure {
  if (error instanceof DatabaseBusyError) return 'unavailable';
  const code: unknown = 'code' in error ? error.code : undefined;
  // Only messages without a code are matched, because one with a SQLSTATE may quote user input.
  if (typeof code !== 'string') return LOST_CONNECTION.test(error.message) ? 'unavailable' : 'defect';
  if (SOCKET_CODES.has(code) || TLS_CODE.test(code)) return 'unavailable';
  if (!SQLSTATE.test(code)) return 'defect';
  return BY_STATE.get(code) ?? BY_CLASS.get(code.slice(0, 2)) ?? 'defect';
}
