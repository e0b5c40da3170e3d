/** Secrets are random in each run. Fixed ones would be public and open every exposed demo to anyone. */
import { randomBytes, randomInt } from 'node:crypto';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { ApiKeyRecord, Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import tenants from './data/tenants.json' with { type: 'json' };
import type { PartnerKey } from './demo-data.ts';
import { stableId } from './seeded-random.ts';

export interface DemoSecrets {
  /** 8 to 256 characters. */
  readonly password: (title: string) => string;
  /** In base32. */
  readonly totpSecret: (title: string) => string;
  /** `fsk_` and 43 base64url characters (Contract: §2). */
  readonly apiKey: () => string;
}

/** Passwords have 80 bits, TOTP secrets 160 and API keys 256. */
export function randomDemoSecrets(): DemoSecrets {
  return {
    password: () => Array.from({ length: 4 }, () => randomText(PASSWORD_ALPHABET, 4)).join('-'),
    totpSecret: () => randomText(BASE32_ALPHABET, 32),
    apiKey: () => `fsk_${randomBytes(32).toString('base64url')}`,
  };
}

/** Without i, l, o and u, because people type these passwords. */
const PASSWORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

export interface DemoSignIn {
  readonly title: string;
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
}

export interface DemoUsers {
  readonly records: readonly UserRecord[];
  /** The administrators of the platform, the larger partner and the largest organization, in this order. */
  readonly signIns: readonly DemoSignIn[];
}

export function demoUsers(secrets: DemoSecrets): DemoUsers {
  const records: UserRecord[] = [];
  const signIns: DemoSignIn[] = [];
  for (const profile of USERS) {
    const { email, name, powers, signInTitle } = profile;
    const title = signInTitle ?? email;
    const password = secrets.password(title);
    const totpSecret = signInTitle === undefined ? null : secrets.totpSecret(title);
    records.push({
      kind: 'user',
      id: stableId('user', email),
      email,
      name,
      password,
      membership: membershipOf(profile),
      permissions: powers === undefined ? [] : ADMINISTRATOR_PERMISSIONS,
      isPlatformAdmin: powers === 'platform-administrator',
      totpSecret,
    });
    if (totpSecret !== null) {
      signIns.push({ title, email, password, totpSecret });
    }
  }
  return { records, signIns };
}

/**
 * A user of the organization, else of the partner, else of the platform. Without `organizations`, a partner's user
 * reaches all of them.
 */
interface UserProfile {
  readonly email: string;
  readonly name: string;
  readonly partner?: PartnerKey;
  readonly organizations?: readonly string[];
  readonly organization?: string;
  readonly powers?: 'administrator' | 'platform-administrator';
  /** Users with a title have MFA, and the first start prints how to sign in as them. */
  readonly signInTitle?: string;
}

const USERS = tenants.users as readonly UserProfile[];

function membershipOf({ partner, organizations, organization }: UserProfile): Membership {
  if (organization !== undefined)
    return { scope: 'organization', orgId: stableId('organization', organization) };
  if (partner === undefined) return { scope: 'system' };
  const orgIds = organizations?.map((key) => stableId('organization', key)) ?? null;
  return { scope: 'partner', partnerId: stableId('partner', partner), orgIds };
}

/** The first is for trying the service. The second is limited to one organization and expires. */
export function demoApiKeys(now: EpochMs, secrets: DemoSecrets): readonly [ApiKeyRecord, ApiKeyRecord] {
  return [
    {
      kind: 'apiKey',
      id: stableId('api-key', 'first steps'),
      key: secrets.apiKey(),
      userId: stableId('user', 'admin@kestrel-lane.example'),
      name: 'First steps',
      orgId: null,
      permissions: [],
      expiresAt: null,
    },
    {
      kind: 'apiKey',
      id: stableId('api-key', 'nightly export'),
      key: secrets.apiKey(),
      userId: stableId('user', 'gareth.thistlewood@kestrel-lane.example'),
      name: 'Nightly export, Varhaug',
      orgId: stableId('organization', 'varhaug'),
      permissions: [],
      expiresAt: now + EXPIRES_AFTER_MS,
    },
  ];
}

const EXPIRES_AFTER_MS = 90 * DAY_MS;
