/** The users of the demo, of every scope, all invented. */
import type { DemoSecrets } from '#adapters/demo/demo-secrets.ts';
import { stableId } from '#adapters/demo/stable-id.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { PartnerKey } from './partners.ts';

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
export const PARTNER_ADMINISTRATOR_EMAILS: Readonly<Record<PartnerKey, string>> = {
  'kestrel-lane': 'admin@kestrel-lane.example',
  blaubach: 'admin@blaubach.example',
};

/** Of the larger partner's technician, who reaches all of its organizations. */
export const TECHNICIAN_EMAIL = 'gareth.thistlewood@kestrel-lane.example';

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
