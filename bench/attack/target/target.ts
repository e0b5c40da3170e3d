/** What is attacked, and as whom. */

/** An API key, an access token, or an enrolment key. */
export type Credential = string;

export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  /** Two callers of one organization. */
  readonly attackers: readonly [Credential, Credential];
  /** A caller of another organization, who notices nothing. */
  readonly other: Credential;
  /** An access token of somebody with a second factor, whose wrong codes may be used up; null leaves that out. */
  readonly session: Credential | null;
  /** Somebody without a second factor who signs in from home under attack; null leaves that out. */
  readonly person: Person | null;
  /** With which machines report to the attackers' organization; null leaves that out. */
  readonly enrolmentKey: Credential | null;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  /** The address of their home, where no attacker is. */
  readonly home: string;
  /** Its network, as the service writes it. */
  readonly network: string;
}

export function credentialHeaders(credential: Credential): Readonly<Record<string, string>> {
  if (credential.startsWith('fsk_')) return { 'X-API-Key': credential };
  if (!credential.startsWith('fse_')) return { Authorization: `Bearer ${credential}` };
  return { Authorization: `Basic ${Buffer.from(`any:${credential}`).toString('base64')}` };
}

/** An address of a network of its own for each request; undefined where there is but one to ask from. */
export function strangerAddress(url: string, client: number, round: number): string | undefined {
  return hasManyAddresses(url) ? `127.${16 + (client % 64)}.${round % 256}.1` : undefined;
}

/** Where the other organization is: in a network without any attacker. */
export function otherAddress(url: string): string | undefined {
  return hasManyAddresses(url) ? '127.200.0.1' : undefined;
}

/** Linux answers on every address of 127.0.0.0/8, so that clients on the same machine can be apart. */
function hasManyAddresses(url: string): boolean {
  return process.platform === 'linux' && new URL(url).hostname === '127.0.0.1';
}
