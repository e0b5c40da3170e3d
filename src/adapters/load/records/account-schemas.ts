/** Users and API keys (Contract: §2 and §9, "The load file"). */
import * as v from 'valibot';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { members } from './members.ts';
import { flag, id, instant, key, kind, listOf, name, oneOf, optional, text } from './scalar-schemas.ts';

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 256;
const MIN_TOTP_SECRET_BYTES = 10;

const permissions = v.nullish(listOf(name), []);

const email = v.pipe(
  key,
  v.regex(
    /^[^@\p{Cc}]+@[^@\p{Cc}]+$/u,
    'must be an email address: one @ with text on both sides, and no line ends',
  ),
);

const password = v.pipe(
  text,
  v.check((value) => {
    const length = countCodePoints(value);
    return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
  }, `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`),
);

/** RFC 4648 base32 in either case, with or without padding; stored in upper case without it. */
const totpSecret = v.pipe(
  text,
  v.check(
    (value) => base32Bytes(value) >= MIN_TOTP_SECRET_BYTES,
    `must be base32 (A-Z and 2-7) of at least ${MIN_TOTP_SECRET_BYTES} bytes`,
  ),
  v.transform((value) => (BASE32.exec(value)?.[1] ?? value).toUpperCase()),
);

/** A user. The scope decides which of orgId, partnerId and orgIds are present. */
export const userSchema = v.pipe(
  members({
    kind: kind('user'),
    id: id<'user'>(),
    email,
    name,
    password,
    scope: oneOf(['organization', 'partner', 'system']),
    orgId: optional(id<'organization'>()),
    partnerId: optional(id<'partner'>()),
    orgIds: optional(listOf(id<'organization'>())),
    permissions,
    isPlatformAdmin: v.nullish(flag, false),
    totpSecret: optional(totpSecret),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { scope, orgId, partnerId, orgIds, ...user } = dataset.value;
    const membership = readMembership({ scope, orgId, partnerId, orgIds });
    if (membership.ok) return { ...user, membership: membership.value };
    for (const message of membership.error) addIssue({ message });
    return NEVER;
  }),
);

/** An API key in full; only its hash is stored. */
export const apiKeySchema = members({
  kind: kind('apiKey'),
  id: id<'api-key'>(),
  key: v.pipe(
    text,
    v.regex(API_KEY_FORMAT, 'must be "fsk_" followed by 43 characters of A-Z, a-z, 0-9, _ and -'),
  ),
  userId: id<'user'>(),
  name,
  orgId: optional(id<'organization'>()),
  permissions,
  expiresAt: optional(instant),
});

interface MembershipMembers {
  readonly scope: Membership['scope'];
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
  readonly orgIds: readonly OrgId[] | null;
}

/** The membership, or every fault in it: each scope has members of its own and no others. */
function readMembership(user: MembershipMembers): Result<Membership, readonly string[]> {
  const { scope, orgId, partnerId, orgIds } = user;
  const faults = (['orgId', 'partnerId', 'orgIds'] as const)
    .filter((member) => user[member] !== null && !MEMBERS_OF_SCOPE[scope].includes(member))
    .map((member) => `must not have ${member} with scope ${scope}`);
  switch (scope) {
    case 'organization':
      if (orgId === null) return err([...faults, 'must have orgId with scope organization']);
      return faults.length > 0 ? err(faults) : ok({ scope, orgId });
    case 'partner':
      if (partnerId === null) return err([...faults, 'must have partnerId with scope partner']);
      return faults.length > 0 ? err(faults) : ok({ scope, partnerId, orgIds });
    case 'system':
      return faults.length > 0 ? err(faults) : ok({ scope });
    default:
      return assertNever(scope);
  }
}

const MEMBERS_OF_SCOPE: Readonly<Record<Membership['scope'], readonly string[]>> = {
  organization: ['orgId'],
  partner: ['partnerId', 'orgIds'],
  system: [],
};

/** The digits and the padding after them. */
const BASE32 = /^([A-Z2-7]*)(=*)$/i;

/** The number of bytes that the text encodes; 0 if it is not base32. */
function base32Bytes(value: string): number {
  const [, digits = '', padding = ''] = BASE32.exec(value) ?? [];
  if (padding !== '' && value.length % 8 !== 0) return 0;
  // 8 digits hold 5 bytes; these three remainders are no whole number of bytes.
  return [1, 3, 6].includes(digits.length % 8) ? 0 : Math.floor((digits.length * 5) / 8);
}
