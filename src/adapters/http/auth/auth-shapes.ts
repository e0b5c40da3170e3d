import * as v from 'valibot';
import {
  count,
  INSTANT,
  id,
  listOf,
  name,
  optionalText,
  type Shape,
  shown,
  text,
} from '#adapters/http/common-shapes.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#domain/access/password.ts';

export const EMAIL = text('admin@kestrel-lane.example');
const PASSWORD = text('correct horse battery');
export const NEW_PASSWORD = shown(
  v.pipe(v.string(), v.minLength(MIN_PASSWORD_LENGTH), v.maxLength(MAX_PASSWORD_LENGTH)),
  'staple staple staple',
);
export const CODE = v.nullish(text('123456', 'Required if a second factor is set up.'));

export const USER = v.object({
  id: id('user'),
  email: EMAIL,
  name: text('Rosalind Moorcroft'),
  scope: shown(v.picklist(['organization', 'partner', 'system', 'none']), 'partner'),
  orgId: shown(v.nullable(id('organization')), null),
  partnerId: v.nullable(id('partner')),
  isWholePartner: shown(
    v.pipe(v.boolean(), v.description('Whether all organizations of the partner are in reach.')),
    true,
  ),
  permissions: shown(v.array(v.string()), ['users:write', 'devices:write']),
  isPlatformAdmin: v.boolean(),
  mfa: v.object({ enrolled: shown(v.boolean(), true), verifiedAt: v.nullable(INSTANT) }),
  passwordless: v.exactOptional(
    v.pipe(v.literal(true), v.description('Absent if the person has a password.')),
  ),
});
export type User = Shape<typeof USER>;

export const PROFILE = v.object({
  ...USER.entries,
  email: optionalText('admin@kestrel-lane.example', 'Null for a user of an embedding program.'),
  name: optionalText('Rosalind Moorcroft', 'Null for a user of an embedding program.'),
});
export type UserProfile = Shape<typeof PROFILE>;

const TOKEN_MEMBERS = {
  accessToken: text('eyJhbGciOiJFZERTQSJ9.e30.c2ln', 'A JWT, for `Authorization: Bearer`.'),
  tokenType: v.literal('Bearer'),
  expiresIn: count(900, 'Seconds.'),
};
const REFRESH_TOKEN = text('fsr_c2VjcmV0');

export const ACCESS_TOKEN = v.object(TOKEN_MEMBERS);
export type AccessToken = Shape<typeof ACCESS_TOKEN>;

/** Without the refresh token, which is in a cookie. */
export const BROWSER_SESSION = v.object({ ...TOKEN_MEMBERS, user: USER });
export type BrowserSession = Shape<typeof BROWSER_SESSION>;

export const SIGNED_IN = v.object({ ...TOKEN_MEMBERS, refreshToken: REFRESH_TOKEN, user: USER });
export type SignedIn = Shape<typeof SIGNED_IN>;

export const PASSKEY_ANSWER = shown(
  v.record(v.string(), v.unknown()),
  {
    id: 'Y3JlZGVudGlhbA',
    rawId: 'Y3JlZGVudGlhbA',
    type: 'public-key',
    response: {},
    clientExtensionResults: {},
  },
  "The browser's answer, as `PublicKeyCredential.toJSON()` gives it.",
);

/** Takes either email and password, or a passkey. */
export const CREDENTIALS = v.object({
  email: v.nullish(EMAIL),
  password: v.nullish(PASSWORD),
  code: CODE,
  passkey: v.nullish(PASSKEY_ANSWER),
});

export const REFRESH_BODY = v.object({ refreshToken: REFRESH_TOKEN });

const SESSION = v.object({
  id: id(),
  createdAt: INSTANT,
  lastUsedAt: INSTANT,
  ip: optionalText('203.0.113.7'),
  userAgent: optionalText('Firefox on Windows'),
  current: shown(v.boolean(), true, 'Whether this request belongs to the session.'),
});
export const SESSIONS = listOf(SESSION);
export type AccountSession = Shape<typeof SESSION>;

export const PASSWORD_CHANGE = v.object({
  currentPassword: PASSWORD,
  newPassword: NEW_PASSWORD,
});

/** Not needed if the person has no password and signed in within the last five minutes. */
export const PASSWORD_AGAIN = v.nullish(PASSWORD);

export const ENROLLMENT_BODY = v.object({ password: PASSWORD_AGAIN });

export const ENROLLMENT = v.object({
  secret: text('JBSWY3DPEHPK3PXP'),
  otpauthUri: text('otpauth://totp/Fleetsift:admin%40kestrel-lane.example?secret=JBSWY3DPEHPK3PXP'),
});
export type Enrollment = Shape<typeof ENROLLMENT>;

export const CODE_BODY = v.object({
  code: text('123456', 'Six digits from an authenticator app, or a recovery code.'),
});

/** Takes one of the two members. */
export const PROOF_BODY = v.object({
  code: v.nullish(text('123456', 'Six digits from an authenticator app, or a recovery code.')),
  passkey: v.nullish(PASSKEY_ANSWER),
});

/** In the format of `PublicKeyCredential.parse…OptionsFromJSON()`. */
export const PASSKEY_OPTIONS = shown(v.record(v.string(), v.unknown()), {
  challenge: 'Y2hhbGxlbmdl',
  rpId: 'fleetsift.example.com',
  userVerification: 'required',
});

export const PASSKEY_START = v.object({
  password: PASSWORD_AGAIN,
});

export const NEW_PASSKEY = v.object({ response: PASSKEY_ANSWER, name: name('Work laptop') });

const PASSKEY = v.object({ id: id(), name: text('Work laptop'), createdAt: INSTANT });

export const PASSKEYS = listOf(
  v.object({
    ...PASSKEY.entries,
    lastUsedAt: shown(v.nullable(INSTANT), null, 'Null if not used yet.'),
    backedUp: shown(v.boolean(), true, 'Whether the passkey is synchronized to other devices.'),
  }),
);
export type Passkey = Shape<typeof PASSKEYS>['data'][number];

const RECOVERY_CODE_LIST = shown(v.array(v.string()), ['7k3m-q9xd-2tfh', 'p5wz-8rvc-4nby']);

export const ADDED_PASSKEY = v.object({
  ...PASSKEY.entries,
  recoveryCodes: v.optional(RECOVERY_CODE_LIST),
});
export type AddedPasskey = Shape<typeof ADDED_PASSKEY>;

export const RECOVERY_CODES = v.object({
  recoveryCodes: RECOVERY_CODE_LIST,
});
export type RecoveryCodes = Shape<typeof RECOVERY_CODES>;

const API_KEY = v.object({
  id: id(),
  name: text('Deployment engine'),
  orgId: shown(v.nullable(id('organization')), null, 'Null if the key reaches all that its user reaches.'),
  permissions: shown(v.array(v.string()), ['devices:write']),
  expiresAt: shown(v.nullable(INSTANT), null, 'Null if the key never expires.'),
  createdAt: INSTANT,
});
export const API_KEYS = v.object({ data: v.array(API_KEY), total: count() });
export type ApiKey = Shape<typeof API_KEY>;

export const CREATED_API_KEY = v.object({ ...API_KEY.entries, key: text(`fsk_${'x'.repeat(43)}`) });
export type CreatedApiKey = Shape<typeof CREATED_API_KEY>;

export const NEW_API_KEY = v.object({
  name: name('Deployment engine'),
  permissions: v.nullish(
    shown(v.array(v.string()), ['devices:write'], 'A subset of your own; default: none.'),
  ),
  expiresAt: v.nullish(text('2027-02-10', 'ISO 8601; default: never.')),
});
