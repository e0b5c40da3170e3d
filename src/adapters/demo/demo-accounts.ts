/**
 * The users and API keys of the demo, and their secrets. Only the secrets differ from run to run: a published password
 * would be a default account on every exposed demo.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { ApiKeyRecord, Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import type { PartnerKey } from './demo-data.ts';
import { stableId } from './seeded-random.ts';

/** The source of the secrets; a new one on each call. */
export interface DemoSecrets {
  /** A password for the account with that title; 8 to 256 characters. */
  readonly password: (title: string) => string;
  /** A TOTP secret for the account with that title, in base32. */
  readonly totpSecret: (title: string) => string;
  /** `fsk_` and 43 base64url characters (Contract: §2). */
  readonly apiKey: () => string;
}

/** Secrets from the system's random source: passwords of 80 bits, TOTP secrets of 160, API keys of 256. */
export function randomDemoSecrets(): DemoSecrets {
  return {
    password: () => Array.from({ length: 4 }, () => randomText(PASSWORD_ALPHABET, 4)).join('-'),
    totpSecret: () => randomText(BASE32_ALPHABET, 32),
    apiKey: () => `fsk_${randomBytes(32).toString('base64url')}`,
  };
}

/** Without i, l, o and u: read off a terminal and typed into a form. */
const PASSWORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** RFC 4648. */
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** What the first start prints of an account. */
export interface DemoSignIn {
  readonly title: string;
  readonly email: string;
  readonly password: string;
  /** Base32. */
  readonly totpSecret: string;
}

/** The accounts, and how to sign in to three of them. */
export interface DemoUsers {
  readonly records: readonly UserRecord[];
  /** Of the platform's, the larger partner's and the largest organization's administrator, in this order. */
  readonly signIns: readonly DemoSignIn[];
}

/** The users, with secrets of their own; only the three administrators of `signIns` have MFA enrolled. */
export function demoUsers(secrets: DemoSecrets): DemoUsers {
  const records: UserRecord[] = [];
  const signIns: DemoSignIn[] = [];
  for (const { email, name, membership, powers, signInTitle } of USERS) {
    const title = signInTitle ?? email;
    const password = secrets.password(title);
    const totpSecret = signInTitle === null ? null : secrets.totpSecret(title);
    records.push({
      kind: 'user',
      id: stableId('user', email),
      email,
      name,
      password,
      membership,
      permissions: powers === 'none' ? [] : ADMINISTRATOR_PERMISSIONS,
      isPlatformAdmin: powers === 'platform-administrator',
      totpSecret,
    });
    if (totpSecret !== null) {
      signIns.push({ title, email, password, totpSecret });
    }
  }
  return { records, signIns };
}

/** Of the partner's administrator. */
const PARTNER_ADMINISTRATOR_EMAILS: Readonly<Record<PartnerKey, string>> = {
  'kestrel-lane': 'admin@kestrel-lane.example',
  blaubach: 'admin@blaubach.example',
};

/** Of the larger partner's technician, who reaches all of its organizations. */
const TECHNICIAN_EMAIL = 'gareth.thistlewood@kestrel-lane.example';

type Powers = 'none' | 'administrator' | 'platform-administrator';

interface UserProfile {
  readonly email: string;
  readonly name: string;
  readonly membership: Membership;
  readonly powers: Powers;
  /** null: its sign-in details are never shown. */
  readonly signInTitle: string | null;
}

const SYSTEM: Membership = { scope: 'system' };

const USERS: readonly UserProfile[] = [
  user(
    'admin@fleetsift.example',
    'Mara Ellingsen',
    SYSTEM,
    'platform-administrator',
    'Platform administrator',
  ),
  user('support@fleetsift.example', 'Idris Calloway', SYSTEM),

  user(
    PARTNER_ADMINISTRATOR_EMAILS['kestrel-lane'],
    'Rosalind Moorcroft',
    partner('kestrel-lane', null),
    'administrator',
    'Partner administrator (Kestrel Lane Managed IT)',
  ),
  user(TECHNICIAN_EMAIL, 'Gareth Thistlewood', partner('kestrel-lane', null)),
  user(
    'priya.sharma@kestrel-lane.example',
    'Priya Sharma',
    partner('kestrel-lane', ['tidewell', 'saltmarsh', 'quillon', 'little-fathom']),
  ),
  user(PARTNER_ADMINISTRATOR_EMAILS.blaubach, 'Regula Fässler', partner('blaubach', null), 'administrator'),
  user('tobias.krueger@blaubach.example', 'Tobias Krüger', partner('blaubach', ['wiesenbrueck', 'feldhaus'])),

  user(
    'it@varhaug-freight.example',
    'Lotte van der Meer',
    organization('varhaug'),
    'administrator',
    'Organization administrator (Varhaug Freight Lines)',
  ),
  user('emre.aksoy@varhaug-freight.example', 'Emre Aksoy', organization('varhaug')),
  user('network@greywater-schools.example', 'Harriet Brankley', organization('greywater'), 'administrator'),
  user('t.fairweather@greywater-schools.example', 'Tamsin Fairweather', organization('greywater')),
  user('informatik@klinik-seerain.example', 'Urs Zimmerli', organization('seerain'), 'administrator'),
  user('l.boesch@klinik-seerain.example', 'Leonie Bösch', organization('seerain')),
  user('practice@quillon-averdale.example', 'Imogen Ashdown', organization('quillon'), 'administrator'),
  user('k.obi@quillon-averdale.example', 'Kofi Obi', organization('quillon')),
];

function user(
  email: string,
  name: string,
  membership: Membership,
  powers: Powers = 'none',
  signInTitle: string | null = null,
): UserProfile {
  return { email, name, membership, powers, signInTitle };
}

function partner(key: PartnerKey, organizations: readonly string[] | null): Membership {
  return {
    scope: 'partner',
    partnerId: stableId('partner', key),
    orgIds: organizations === null ? null : organizations.map((one) => stableId('organization', one)),
  };
}

function organization(key: string): Membership {
  return { scope: 'organization', orgId: stableId('organization', key) };
}

/** The key to try the service with first, then one narrowed to an organization, which expires in 90 days. */
export function demoApiKeys(now: EpochMs, secrets: DemoSecrets): readonly [ApiKeyRecord, ApiKeyRecord] {
  return [
    {
      kind: 'apiKey',
      id: stableId('api-key', 'first steps'),
      key: secrets.apiKey(),
      userId: stableId('user', PARTNER_ADMINISTRATOR_EMAILS['kestrel-lane']),
      name: 'First steps',
      orgId: null,
      permissions: [],
      expiresAt: null,
    },
    {
      kind: 'apiKey',
      id: stableId('api-key', 'nightly export'),
      key: secrets.apiKey(),
      userId: stableId('user', TECHNICIAN_EMAIL),
      name: 'Nightly export, Varhaug',
      orgId: stableId('organization', 'varhaug'),
      permissions: [],
      expiresAt: now + EXPIRES_AFTER_MS,
    },
  ];
}

const EXPIRES_AFTER_MS = 90 * DAY_MS;
