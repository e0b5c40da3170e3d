/** What is attacked, and as whom. */

/** An API key, or an access token. */
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
}

export function credentialHeaders(credential: Credential): Readonly<Record<string, string>> {
  return credential.startsWith('fsk_')
    ? { 'X-API-Key': credential }
    : { Authorization: `Bearer ${credential}` };
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
