/**
 * `sslmode` and `sslrootcert` are read here, because the driver has announced that it will change what the modes mean.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';

const MODES = {
  disable: 'nothing',
  'no-verify': 'secrecy',
  /** Stricter than libpq, which checks no certificate in this mode. */
  require: 'server',
  'verify-ca': 'authority',
  'verify-full': 'server',
} as const;

/** `allow` and `prefer` are missing, because an attacker in between could turn TLS off. */
const SSL_MODES = Object.keys(MODES);

export interface DatabaseTls {
  /** The connection string without the TLS settings. */
  readonly url: string;
  /** Options in the form that `pg` takes. Absent if the string has no TLS settings. */
  readonly ssl?: ConnectionOptions | false;
}

/** Throws `UnusableDatabaseError` if the mode is unknown or the file cannot be read. */
export function databaseTls(given: string): DatabaseTls {
  // `pg` also accepts strings that are not URLs, such as the path of a socket.
  if (!URL.canParse(given)) return { url: given };
  const url = new URL(given);
  const { searchParams } = url;
  const file = searchParams.get('sslrootcert');
  const mode = searchParams.get('sslmode') ?? (file === null ? null : 'verify-full');
  // With `uselibpqcompat`, the driver applies libpq's meanings.
  if (mode === null || searchParams.has('uselibpqcompat')) return { url: given };
  if (!isMode(mode)) {
    throw new UnusableDatabaseError(`sslmode is "${mode}"; it must be one of ${SSL_MODES.join(', ')}`);
  }
  searchParams.delete('sslmode');
  searchParams.delete('sslrootcert');
  const assured = MODES[mode];
  if (assured === 'nothing') return { url: url.href, ssl: false };
  return {
    url: url.href,
    ssl: {
      ...(file !== null && { ca: readAuthority(file) }),
      ...(assured === 'secrecy' && { rejectUnauthorized: false }),
      ...(assured === 'authority' && { checkServerIdentity: () => undefined }),
    },
  };
}

function isMode(text: string): text is keyof typeof MODES {
  return Object.hasOwn(MODES, text);
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabaseError(`The certificate that sslrootcert names cannot be read: ${reason}`);
  }
}
