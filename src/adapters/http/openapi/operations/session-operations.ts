/** The routes of signing in, sessions, the profile and the second factor (Contract: §2, §14). */
import * as v from 'valibot';
import { type DescribedBody, empty, json, type Operation } from '#adapters/http/openapi/operation.ts';
import {
  COUNT,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#domain/access/password.ts';

export const PROFILE = v.object({
  id: ID,
  email: v.string(),
  name: v.string(),
  scope: v.picklist(['organization', 'partner', 'system', 'none']),
  orgId: v.nullable(ID),
  partnerId: v.nullable(ID),
  permissions: v.array(v.string()),
  isPlatformAdmin: v.boolean(),
  mfa: v.object({ enrolled: v.boolean(), verifiedAt: v.nullable(INSTANT) }),
});

const EXAMPLE_PROFILE = {
  id: EXAMPLE_ID.user,
  email: 'admin@kestrel-lane.example',
  name: 'Rosalind Moorcroft',
  scope: 'partner',
  orgId: null,
  partnerId: EXAMPLE_ID.partner,
  permissions: ['users:write', 'devices:write'],
  isPlatformAdmin: false,
  mfa: { enrolled: true, verifiedAt: EXAMPLE_INSTANT },
};

const TOKEN_MEMBERS = {
  accessToken: v.pipe(v.string(), v.description('A JWT, for `Authorization: Bearer`.')),
  tokenType: v.literal('Bearer'),
  expiresIn: v.pipe(COUNT, v.description('Seconds.')),
};

const EXAMPLE_TOKEN = { accessToken: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', tokenType: 'Bearer', expiresIn: 900 };

const SIGNED_IN = v.object({ ...TOKEN_MEMBERS, refreshToken: v.string(), user: PROFILE });
const EXAMPLE_SIGNED_IN = { ...EXAMPLE_TOKEN, refreshToken: 'fsr_c2VjcmV0', user: EXAMPLE_PROFILE };

const BROWSER_SIGNED_IN = v.object({ ...TOKEN_MEMBERS, user: PROFILE });
const EXAMPLE_BROWSER_SIGNED_IN = { ...EXAMPLE_TOKEN, user: EXAMPLE_PROFILE };

const SESSION = v.object({
  id: ID,
  createdAt: INSTANT,
  lastUsedAt: INSTANT,
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
  current: v.boolean(),
});

const CODE = v.pipe(v.string(), v.description('Six digits of an authenticator app, or a recovery code.'));
const RECOVERY_CODES = v.object({ recoveryCodes: v.array(v.string()) });
const EXAMPLE_CODES = { recoveryCodes: ['7k3m-q9xd-2tfh', 'p5wz-8rvc-4nby'] };

const CREDENTIALS: DescribedBody = {
  schema: v.object({
    email: v.string(),
    password: v.string(),
    code: v.pipe(v.nullish(v.string()), v.description('Where a second factor is set up.')),
  }),
  example: { email: EXAMPLE_PROFILE.email, password: 'correct horse battery', code: '123456' },
};

const REFRESH_TOKEN: DescribedBody = {
  schema: v.object({ refreshToken: v.string() }),
  example: { refreshToken: EXAMPLE_SIGNED_IN.refreshToken },
};

const SIGN_IN_PROBLEMS = ['invalid_credentials', 'invalid_mfa_code', 'mfa_required'] as const;

export const SESSION_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/v1/auth/login': {
    id: 'signIn',
    tag: 'session',
    summary: 'Sign in',
    asker: 'visitor',
    body: CREDENTIALS,
    answers: { 200: json('An access token and a refresh token.', SIGNED_IN, EXAMPLE_SIGNED_IN) },
    problems: SIGN_IN_PROBLEMS,
  },
  'POST /api/v1/auth/refresh': {
    id: 'refreshSession',
    tag: 'session',
    summary: 'Exchange a refresh token for a new pair',
    description: 'A refresh token is good once; using one twice ends its session.',
    asker: 'visitor',
    body: REFRESH_TOKEN,
    answers: { 200: json('The next pair.', SIGNED_IN, EXAMPLE_SIGNED_IN) },
    problems: ['invalid_refresh_token'],
  },
  'POST /api/v1/auth/logout': {
    id: 'signOut',
    tag: 'session',
    summary: 'End the session of a refresh token',
    asker: 'visitor',
    body: REFRESH_TOKEN,
    answers: { 204: empty('It has ended, or had before.') },
  },
  'POST /api/v1/auth/session': {
    id: 'signBrowserIn',
    tag: 'session',
    summary: 'Sign a browser in, with the refresh token in a cookie',
    asker: 'browser',
    body: CREDENTIALS,
    answers: {
      200: json('An access token.', BROWSER_SIGNED_IN, EXAMPLE_BROWSER_SIGNED_IN, ['Set-Cookie']),
    },
    problems: SIGN_IN_PROBLEMS,
  },
  'POST /api/v1/auth/session/refresh': {
    id: 'refreshBrowserSession',
    tag: 'session',
    summary: 'Continue the session of the cookie',
    asker: 'browser',
    answers: {
      200: json('An access token, and the next cookie.', BROWSER_SIGNED_IN, EXAMPLE_BROWSER_SIGNED_IN, [
        'Set-Cookie',
      ]),
    },
    problems: ['invalid_refresh_token', 'unauthenticated'],
  },
  'DELETE /api/v1/auth/session': {
    id: 'signBrowserOut',
    tag: 'session',
    summary: 'Sign the browser out',
    asker: 'browser',
    answers: { 204: empty('The session has ended, and the cookie is gone.', ['Set-Cookie']) },
  },
  'GET /api/v1/auth/sessions': {
    id: 'listSessions',
    tag: 'session',
    summary: 'List where the caller is signed in',
    asker: 'caller',
    answers: {
      200: json('Sessions, last used first.', v.object({ data: v.array(SESSION) }), {
        data: [
          {
            id: EXAMPLE_ID.other,
            createdAt: EXAMPLE_INSTANT,
            lastUsedAt: EXAMPLE_INSTANT,
            ip: '203.0.113.7',
            userAgent: 'Firefox on Windows',
            current: true,
          },
        ],
      }),
    },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/sessions': {
    id: 'endOtherSessions',
    tag: 'session',
    summary: "End all sessions but the caller's",
    asker: 'caller',
    answers: { 204: empty('They have ended.') },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/sessions/:id': {
    id: 'endSession',
    tag: 'session',
    summary: "End one of the caller's sessions",
    asker: 'caller',
    answers: { 204: empty('It has ended.') },
    problems: ['forbidden'],
  },
  'POST /api/v1/auth/password': {
    id: 'changePassword',
    tag: 'session',
    summary: 'Change the password; the other sessions end',
    asker: 'caller',
    body: {
      schema: v.object({
        currentPassword: v.string(),
        newPassword: v.pipe(v.string(), v.minLength(MIN_PASSWORD_LENGTH), v.maxLength(MAX_PASSWORD_LENGTH)),
      }),
      example: { currentPassword: 'correct horse battery', newPassword: 'staple staple staple' },
    },
    needsFreshMfa: true,
    answers: { 204: empty('It is changed.') },
    problems: ['forbidden', 'invalid_password'],
  },
  'GET /api/v1/auth/me': {
    id: 'readProfile',
    tag: 'session',
    summary: 'Who the caller is',
    asker: 'caller',
    answers: { 200: json('The profile.', PROFILE, EXAMPLE_PROFILE) },
  },
  'POST /api/v1/auth/mfa/enroll': {
    id: 'startEnrollment',
    tag: 'second factor',
    summary: 'Start to set up a second factor',
    description: 'To replace one, MFA must have been verified recently.',
    asker: 'caller',
    body: { schema: v.object({ password: v.string() }), example: { password: 'correct horse battery' } },
    answers: {
      200: json('For an authenticator app.', v.object({ secret: v.string(), otpauthUri: v.string() }), {
        secret: 'JBSWY3DPEHPK3PXP',
        otpauthUri: 'otpauth://totp/Fleetsift:admin%40kestrel-lane.example?secret=JBSWY3DPEHPK3PXP',
      }),
    },
    problems: ['forbidden', 'invalid_password', 'mfa_not_possible', 'mfa_required'],
  },
  'POST /api/v1/auth/mfa/enroll/confirm': {
    id: 'confirmEnrollment',
    tag: 'second factor',
    summary: 'Confirm the second factor with a code; the other sessions end',
    asker: 'caller',
    body: { schema: v.object({ code: CODE }), example: { code: '123456' } },
    answers: { 200: json('Shown this once, each good once.', RECOVERY_CODES, EXAMPLE_CODES) },
    problems: ['conflict', 'forbidden', 'invalid_mfa_code', 'mfa_not_possible', 'mfa_required'],
  },
  'POST /api/v1/auth/mfa/challenge': {
    id: 'challengeMfa',
    tag: 'second factor',
    summary: 'Verify a code: the same session, with MFA fresh',
    asker: 'caller',
    body: { schema: v.object({ code: CODE }), example: { code: '123456' } },
    answers: { 200: json('An access token.', v.object(TOKEN_MEMBERS), EXAMPLE_TOKEN) },
    problems: ['forbidden', 'invalid_mfa_code', 'mfa_enrollment_required', 'mfa_not_possible'],
  },
  'POST /api/v1/auth/mfa/recovery-codes': {
    id: 'renewRecoveryCodes',
    tag: 'second factor',
    summary: 'Replace the recovery codes',
    asker: 'caller',
    needsFreshMfa: true,
    answers: { 200: json('Shown this once; the former ones are void.', RECOVERY_CODES, EXAMPLE_CODES) },
    problems: ['forbidden'],
  },
};
