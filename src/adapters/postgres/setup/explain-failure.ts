const CERTIFICATES: ReadonlyMap<unknown, string> = new Map([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT'].map(untrusted),
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map(untrusted),
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Use the host name of the certificate in DATABASE_URL, or add sslmode=verify-ca, which checks only its authority.',
  ],
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the server.'],
  ['CERT_NOT_YET_VALID', "Check the clocks, and the certificate's dates."],
]);

function untrusted(code: string): [string, string] {
  return [
    code,
    'Add sslrootcert=/path/to/ca.pem to DATABASE_URL with the certificate of its authority, or the self-signed one itself; sslmode=no-verify encrypts without checking who answers.',
  ];
}

const CONNECTIONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOTFOUND', 'Check the host in DATABASE_URL.'],
  ['ECONNREFUSED', 'Check the host and port in DATABASE_URL, and that the server is running.'],
  ['28P01', 'Check the role and the password in DATABASE_URL; percent-encode special characters in them.'],
  // The server also reports 28000 if pg_hba.conf does not admit the role.
  ['28000', 'The role in DATABASE_URL must be one that may log in from here: alter role ... login.'],
  [
    '3D000',
    "Check DATABASE_URL, or create it: create database ... owner ... encoding 'UTF8' template template0",
  ],
]);

const GENERAL = 'Check DATABASE_URL, that the server is running, and that it admits this role.';

export function explainFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return `${reason.replace(/\.$/, '')}. ${adviceOn(error, reason) ?? GENERAL}`;
}

export const POOLER_ADVICE =
  'DATABASE_URL seems to lead to a pooler such as PgBouncer: set DATABASE_POOLER=transaction, and pool_mode = transaction in PgBouncer 1.21 or newer. Or connect to PostgreSQL directly.';

function adviceOn(error: unknown, reason: string): string | undefined {
  if (/unsupported startup parameter/.test(reason)) return POOLER_ADVICE;
  if (/does not support SSL/i.test(reason)) {
    return 'Remove sslmode from DATABASE_URL or PGSSLMODE from the environment, or turn TLS on at the server: ssl = on, with a certificate and its key.';
  }
  if (/no encryption|SSL off/.test(reason)) {
    return 'The server may want TLS: add sslmode=verify-full to DATABASE_URL.';
  }
  return error instanceof Error && 'code' in error
    ? (CERTIFICATES.get(error.code) ?? CONNECTIONS.get(error.code))
    : undefined;
}

/** The message says why the service cannot run on this database, and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** Recognizes SQLSTATE 42501, whether from `pg` or MikroORM. */
export function isPrivilegeMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '42501';
}
