/** An API key, an access token, or an enrolment key. */
export type Credential = string;

export interface Target {
  /** Without trailing slash. */
  readonly url: string;
  /** Both of one organization. */
  readonly attackers: readonly [Credential, Credential];
  /** Belongs to another organization and must not notice the attack. */
  readonly other: Credential;
  /** Belongs to a user with a second factor, whose wrong codes may be used up. Null to skip these attacks. */
  readonly session: Credential | null;
  /** A user without a second factor who signs in from home during the attack. Null to skip. */
  readonly person: Person | null;
  /** For reports to the attackers' organization. Null to skip. */
  readonly enrolmentKey: Credential | null;
  /** Runs commands on the service's database. Null to skip. */
  readonly operator: Operator | null;
}

export interface Operator {
  /** The name of the attackers' organization. */
  readonly organization: string;
  /** Returns what the command printed. */
  run(args: readonly string[]): Promise<string>;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  /** No attacker is at this address. */
  readonly home: string;
  /** The network of `home`, as the service writes it. */
  readonly network: string;
}

export function credentialHeaders(credential: Credential): Readonly<Record<string, string>> {
  if (credential.startsWith('fsk_')) return { 'X-API-Key': credential };
  if (!credential.startsWith('fse_')) return { Authorization: `Bearer ${credential}` };
  return { Authorization: `Basic ${Buffer.from(`any:${credential}`).toString('base64')}` };
}

/** An address of a different network for each request; undefined if there is only one address. */
export function strangerAddress(url: string, client: number, round: number): string | undefined {
  return hasManyAddresses(url) ? `127.${16 + (client % 64)}.${round % 256}.1` : undefined;
}

/** In a network without attackers. */
export function otherAddress(url: string): string | undefined {
  return hasManyAddresses(url) ? '127.200.0.1' : undefined;
}

/** Linux answers on every address of 127.0.0.0/8, so clients on one machine can have different addresses. */
function hasManyAddresses(url: string): boolean {
  return process.platform === 'linux' && new URL(url).hostname === '127.0.0.1';
}
