import * as v from 'valibot';
import {
  EXAMPLE_ID,
  INSTANT,
  id,
  listOf,
  name,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';

const PERMISSIONS = shown(v.array(v.string()), ['devices:write']);
const ISSUER = text(
  'https://login.kestrel-lane.example',
  'The issuer in the ID tokens. It cannot be changed.',
);
const CLAIM = shown(
  v.nullable(v.string()),
  'groups',
  'The claim of the ID token that lists groups, or a path to it such as `realm_access.roles`.',
);

const GROUP = v.object({
  group: text('Fleet operators', 'The group as the claim names it.'),
  permissions: PERMISSIONS,
  orgIds: shown(
    v.nullable(v.array(id('organization'))),
    [EXAMPLE_ID.organization],
    'Null means all organizations of the partner.',
  ),
});

const DOMAIN = v.object({
  domain: text('kestrel-lane.example'),
  verified: shown(v.boolean(), true),
  record: shown(
    v.object({ name: v.string(), value: v.string() }),
    {
      name: '_fleetsift.kestrel-lane.example',
      value: `fleetsift-verification=${EXAMPLE_ID.other}`,
    },
    'The TXT record that verifies the domain.',
  ),
});

const SETTINGS = {
  name: name('Entra'),
  clientId: text('6731de76-14a6-49ae-97bc-6eba6914391e'),
  provision: shown(v.boolean(), true, 'Whether new people get an account at their first sign-in.'),
  permissions: PERMISSIONS,
  groupsClaim: CLAIM,
  trustMfa: shown(v.boolean(), true, 'Whether a second factor at the provider counts as MFA.'),
  acrValues: shown(v.array(v.string()), ['gold'], 'Values of `acr` that mean a second factor.'),
};

export const PROVIDER = v.object({
  id: id('other'),
  orgId: v.nullable(id('organization')),
  partnerId: shown(v.nullable(id('partner')), null),
  issuer: ISSUER,
  ...SETTINGS,
  domains: v.array(DOMAIN),
  groups: v.array(GROUP),
  createdAt: INSTANT,
});
export type Provider = Shape<typeof PROVIDER>;

export const PROVIDERS = listOf(PROVIDER);
export type Providers = Shape<typeof PROVIDERS>;

const SENT = {
  domains: v.exactOptional(
    v.array(
      v.object({
        domain: text('kestrel-lane.example'),
        verified: v.exactOptional(shown(v.boolean(), true, 'Only callers with system scope can set it.')),
      }),
    ),
  ),
  provision: v.exactOptional(SETTINGS.provision),
  permissions: v.exactOptional(PERMISSIONS),
  groupsClaim: v.exactOptional(CLAIM),
  groups: v.exactOptional(
    v.array(
      v.object({
        group: text('Fleet operators'),
        permissions: PERMISSIONS,
        orgIds: v.nullish(v.array(id('organization'))),
      }),
    ),
  ),
  trustMfa: v.exactOptional(SETTINGS.trustMfa),
  acrValues: v.exactOptional(SETTINGS.acrValues),
};

export const NEW_PROVIDER = v.object({
  orgId: v.nullish(id('organization')),
  partnerId: v.nullish(id('partner')),
  name: SETTINGS.name,
  issuer: ISSUER,
  clientId: SETTINGS.clientId,
  clientSecret: text('a-secret-of-the-client'),
  ...SENT,
});

export const PROVIDER_CHANGE = v.object({
  orgId: v.nullish(id('organization', 'Cannot change.')),
  partnerId: v.nullish(id('partner', 'Cannot change.')),
  name: v.exactOptional(SETTINGS.name),
  issuer: v.exactOptional(ISSUER),
  clientId: v.exactOptional(SETTINGS.clientId),
  clientSecret: v.exactOptional(text('a-new-secret-of-the-client')),
  ...SENT,
});
