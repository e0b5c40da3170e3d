/** Contract: §2 and §9, "The load file". */
import * as v from 'valibot';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import { PASSWORD_LENGTH, passwordLengthFault } from '#domain/access/password.ts';
import { assertNever } from '#domain/assert-never.ts';
import { type Membership, USER_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  convertedBy,
  flag,
  id,
  instant,
  key,
  kind,
  listOf,
  members,
  name,
  oneOf,
  optional,
  sha256,
  text,
} from './schema-parts.ts';
import { isObject } from './value-faults.ts';

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
  v.check((value) => passwordLengthFault(value) === null, `must have ${PASSWORD_LENGTH}`),
);

/** An encrypted secret in a dump: `v2.`, the key's id, and the rest in base64url. The former `v1.` has no key id. */
const SEALED = /^v[12]\.[A-Za-z0-9_.-]+$/;

/**
 * Base32 (RFC 4648) in either case, with or without padding, or a sealed secret. Base32 is stored in upper case without
 * padding.
 */
const totpSecret = v.pipe(
  text,
  v.check(
    (value) => SEALED.test(value) || base32Bytes(value) >= MIN_TOTP_SECRET_BYTES,
    `must be base32 (A-Z and 2-7) of at least ${MIN_TOTP_SECRET_BYTES} bytes`,
  ),
  v.transform((value) => (SEALED.test(value) ? value : (BASE32.exec(value)?.[1] ?? value).toUpperCase())),
);

const passwordHash = v.pipe(
  text,
  v.regex(
    /^\$argon2id\$v=19\$m=\d{1,7},t=\d{1,3},p=\d{1,2}\$[A-Za-z0-9+/]{11,88}\$[A-Za-z0-9+/]{22,128}$/,
    'must be a hash by argon2id, as a dump has it',
  ),
);

/** The scope decides which of orgId, partnerId and orgIds are present. */
const belonging = {
  kind: kind('user'),
  id: id<'user'>(),
  scope: oneOf(['organization', 'partner', 'system']),
  orgId: optional(id<'organization'>()),
  partnerId: optional(id<'partner'>()),
  orgIds: optional(listOf(id<'organization'>())),
  createdAt: v.nullish(instant),
  updatedAt: v.nullish(instant),
};

const livingUserSchema = v.pipe(
  members({
    ...belonging,
    email,
    name,
    password: optional(password),
    passwordHash: v.nullish(passwordHash),
    permissions,
    isPlatformAdmin: v.nullish(flag, false),
    totpSecret: optional(totpSecret),
    recoveryCodeSha256s: v.nullish(listOf(sha256)),
    status: v.nullish(oneOf(USER_STATUSES)),
  }),
  convertedBy(({ scope, orgId, partnerId, orgIds, totpSecret: factor, ...user }) => {
    const membership = readMembership({ scope, orgId, partnerId, orgIds });
    const faults = membership.ok ? [] : [...membership.error];
    if (user.password !== null && user.passwordHash)
      faults.push('must have password or passwordHash, not both');
    if (!membership.ok || faults.length > 0) return err(faults);
    const isSealed = factor !== null && SEALED.test(factor);
    return ok({
      ...user,
      membership: membership.value,
      totpSecret: isSealed ? null : factor,
      ...(isSealed && { sealedTotpSecret: factor }),
    });
  }),
);

const erasedUserSchema = v.pipe(
  members({ ...belonging, status: oneOf(['deleted']) }),
  convertedBy(({ scope, orgId, partnerId, orgIds, ...user }) => {
    const membership = readMembership({ scope, orgId, partnerId, orgIds });
    if (!membership.ok) return membership;
    const nobody = { email: '', name: '', password: null, permissions: [], isPlatformAdmin: false };
    return ok({ ...user, ...nobody, membership: membership.value, totpSecret: null });
  }),
);

export const userSchema = v.lazy((value) =>
  isObject(value) && value.status === 'deleted' ? erasedUserSchema : livingUserSchema,
);

const issuance = {
  kind: kind('apiKey'),
  id: id<'api-key'>(),
  userId: id<'user'>(),
  name,
  orgId: optional(id<'organization'>()),
  permissions,
  expiresAt: optional(instant),
  revokedAt: v.nullish(instant),
  createdAt: v.nullish(instant),
};

const fullKeySchema = members({
  ...issuance,
  key: v.pipe(
    text,
    v.regex(API_KEY_FORMAT, 'must be "fsk_" followed by 43 characters of A-Z, a-z, 0-9, _ and -'),
  ),
});

const hashedKeySchema = v.pipe(
  members({ ...issuance, keySha256: sha256 }),
  v.transform((hashed) => ({ ...hashed, key: null })),
);

export const apiKeySchema = v.lazy((value) =>
  isObject(value) && value.keySha256 != null ? hashedKeySchema : fullKeySchema,
);

export const enrolmentKeySchema = members({
  kind: kind('enrolmentKey'),
  id: id<'enrolment-key'>(),
  keySha256: sha256,
  orgId: id<'organization'>(),
  siteId: optional(id<'site'>()),
  name,
  expiresAt: optional(instant),
  revokedAt: optional(instant),
  createdAt: instant,
});

interface MembershipMembers {
  readonly scope: Membership['scope'];
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
  readonly orgIds: readonly OrgId[] | null;
}

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

const BASE32 = /^([A-Z2-7]*)(=*)$/i;

/** The number of encoded bytes; 0 if it is not base32. */
function base32Bytes(value: string): number {
  const [, digits = '', padding = ''] = BASE32.exec(value) ?? [];
  if (padding !== '' && value.length % 8 !== 0) return 0;
  // 8 digits encode 5 bytes. These three remainders encode no whole number of bytes.
  return [1, 3, 6].includes(digits.length % 8) ? 0 : Math.floor((digits.length * 5) / 8);
}
