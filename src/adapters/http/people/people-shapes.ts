/** People in answers (Contract: §16). */
import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  pageOf,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { PERSON_STATUSES } from '#domain/access/person.ts';

const named = (kind: 'organization' | 'partner' | 'other', name: string | null, description?: string) =>
  shown(
    v.nullable(v.object({ id: id(kind), name: v.string() })),
    name === null ? null : { id: EXAMPLE_ID[kind], name },
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
    "Of a partner's staff: the organizations that they reach, or null for all of the partner.",
  ),
  organization: named('organization', 'Kestrel Lane'),
  partner: named('partner', null),
  permissions: shown(v.array(v.string()), ['users:write']),
  isPlatformAdmin: v.boolean(),
  status: shown(v.picklist(PERSON_STATUSES), 'active'),
  mfa: v.object({ totp: shown(v.boolean(), true), passkeys: count(0) }),
  identityProvider: named('other', null, 'Whose sign-ins made the account.'),
  lastSignInAt: v.nullable(INSTANT),
  createdAt: INSTANT,
});
export type Person = Shape<typeof PERSON>;

export const PEOPLE_PAGE = pageOf(PERSON);
export type PeoplePage = Shape<typeof PEOPLE_PAGE>;
