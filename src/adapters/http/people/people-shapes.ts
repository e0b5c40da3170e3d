import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  name,
  pageOf,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { PERSON_STATUSES } from '#domain/access/person.ts';

const named = (kind: 'organization' | 'partner' | 'other', example: string | null, description?: string) =>
  shown(
    v.nullable(v.object({ id: id(kind), name: v.string() })),
    example === null ? null : { id: EXAMPLE_ID[kind], name: example },
    description,
  );

export const PERSON = v.object({
  id: id('user'),
  email: text('rosalind.moorcroft@kestrel-lane.example'),
  name: text('Rosalind Moorcroft'),
  scope: v.picklist(['organization', 'partner', 'system']),
  orgId: v.nullable(id('organization')),
  partnerId: shown(v.nullable(id('partner')), null),
  orgIds: shown(
    v.nullable(v.array(id('organization'))),
    null,
    "For a partner's staff: the organizations in reach, or null for all of the partner's.",
  ),
  organization: named('organization', 'Kestrel Lane'),
  partner: named('partner', null),
  permissions: shown(v.array(v.string()), ['users:write']),
  isPlatformAdmin: v.boolean(),
  status: shown(v.picklist(PERSON_STATUSES), 'active'),
  mfa: v.object({ totp: shown(v.boolean(), true), passkeys: count(0) }),
  identityProvider: named('other', null, 'The provider that created the account.'),
  lastSignInAt: v.nullable(INSTANT),
  createdAt: INSTANT,
});
export type Person = Shape<typeof PERSON>;

export const PERSON_CHANGE = v.object({
  name: v.exactOptional(name('Rosalind Moorcroft')),
  permissions: v.exactOptional(shown(v.array(v.string()), ['users:write', 'devices:write'])),
  scope: v.exactOptional(v.picklist(['organization', 'partner', 'system'])),
  orgId: v.nullish(id('organization', 'Moves the person to the organization.')),
  partnerId: v.nullish(id('partner', "Makes the person the partner's own staff.")),
  orgIds: v.nullish(v.array(id('organization'))),
  isPlatformAdmin: v.exactOptional(v.boolean()),
  status: v.exactOptional(v.picklist(['active', 'disabled'])),
});

export const NEW_PERSON = v.object({
  email: text('rosalind.moorcroft@kestrel-lane.example'),
  name: name('Rosalind Moorcroft'),
  scope: v.exactOptional(v.picklist(['organization', 'partner', 'system'])),
  orgId: v.nullish(id('organization')),
  partnerId: v.nullish(id('partner')),
  orgIds: v.nullish(v.array(id('organization'))),
  permissions: v.nullish(shown(v.array(v.string()), ['users:write'], 'Some of your own; default: none.')),
});

export const PEOPLE_PAGE = pageOf(PERSON);
export type PeoplePage = Shape<typeof PEOPLE_PAGE>;
