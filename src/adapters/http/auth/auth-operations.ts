import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import {
  ACCESS_TOKEN,
  ADDED_PASSKEY,
  API_KEYS,
  BROWSER_SESSION,
  CODE_BODY,
  CREATED_API_KEY,
  CREDENTIALS,
  ENROLLMENT,
  ENROLLMENT_BODY,
  NEW_API_KEY,
  NEW_PASSKEY,
  PASSKEY_OPTIONS,
  PASSKEY_START,
  PASSKEYS,
  PASSWORD_CHANGE,
  PROFILE,
  PROOF_BODY,
  RECOVERY_CODES,
  REFRESH_BODY,
  SESSIONS,
  SIGNED_IN,
} from './auth-shapes.ts';

const SIGN_IN_PROBLEMS = ['invalid_credentials', 'invalid_mfa_code', 'mfa_required'] as const;

const SIGN_IN_EXAMPLE = {
  email: 'admin@kestrel-lane.example',
  password: 'correct horse battery',
  code: '123456',
};

const SESSION_OPERATIONS = operations('session', {
  'POST /api/v1/auth/login': {
    id: 'signIn',
    summary: 'Sign in',
    asker: 'visitor',
    body: body(CREDENTIALS, SIGN_IN_EXAMPLE),
    answers: { 200: json('An access token and a refresh token.', SIGNED_IN) },
    problems: SIGN_IN_PROBLEMS,
  },
  'POST /api/v1/auth/refresh': {
    id: 'refreshSession',
    summary: 'Exchange a refresh token for a new pair',
    description: 'A refresh token works once. Using it twice ends the session.',
    asker: 'visitor',
    body: body(REFRESH_BODY),
    answers: { 200: json('The next pair.', SIGNED_IN) },
    problems: ['invalid_refresh_token'],
  },
  'POST /api/v1/auth/logout': {
    id: 'signOut',
    summary: 'End the session of a refresh token',
    asker: 'visitor',
    body: body(REFRESH_BODY),
    answers: { 204: empty('The session has ended.') },
  },
  'POST /api/v1/auth/session': {
    id: 'signBrowserIn',
    summary: 'Sign a browser in, with the refresh token in a cookie',
    asker: 'browser',
    body: body(CREDENTIALS, SIGN_IN_EXAMPLE),
    answers: { 200: json('An access token.', BROWSER_SESSION, ['Set-Cookie']) },
    problems: SIGN_IN_PROBLEMS,
  },
  'POST /api/v1/auth/session/refresh': {
    id: 'refreshBrowserSession',
    summary: 'Renew the session in the cookie',
    asker: 'browser',
    answers: { 200: json('An access token, and the next cookie.', BROWSER_SESSION, ['Set-Cookie']) },
    problems: ['invalid_refresh_token', 'unauthenticated'],
  },
  'DELETE /api/v1/auth/session': {
    id: 'signBrowserOut',
    summary: 'Sign the browser out',
    asker: 'browser',
    answers: { 204: empty('The session has ended, and the cookie is gone.', ['Set-Cookie']) },
  },
  'GET /api/v1/auth/sessions': {
    id: 'listSessions',
    summary: 'List where the caller is signed in',
    answers: { 200: json('Sessions, most recently used first.', SESSIONS) },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/sessions': {
    id: 'endOtherSessions',
    summary: "End all sessions but the caller's",
    answers: { 204: empty('The other sessions have ended.') },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/sessions/:id': {
    id: 'endSession',
    summary: "End one of the caller's sessions",
    answers: { 204: empty('The session has ended.') },
    problems: ['forbidden'],
  },
  'POST /api/v1/auth/password': {
    id: 'changePassword',
    summary: 'Change the password; the other sessions end',
    body: body(PASSWORD_CHANGE),
    needsFreshMfa: true,
    answers: { 204: empty('The password is changed.') },
    problems: ['forbidden', 'invalid_password'],
  },
  'GET /api/v1/auth/me': {
    id: 'readProfile',
    summary: 'Who the caller is',
    answers: { 200: json('The profile.', PROFILE) },
  },
});

const MFA_OPERATIONS = operations('second factor', {
  'POST /api/v1/auth/mfa/enroll': {
    id: 'startEnrollment',
    summary: 'Start to set up a second factor',
    description: 'To replace a second factor, MFA must have been verified recently.',
    body: body(ENROLLMENT_BODY),
    answers: { 200: json('For an authenticator app.', ENROLLMENT) },
    problems: [
      'forbidden',
      'invalid_password',
      'mfa_not_possible',
      'mfa_required',
      'recent_sign_in_required',
    ],
  },
  'POST /api/v1/auth/mfa/enroll/confirm': {
    id: 'confirmEnrollment',
    summary: 'Confirm the second factor with a code; the other sessions end',
    body: body(CODE_BODY),
    answers: { 200: json('The only answer that contains these codes. Each works once.', RECOVERY_CODES) },
    problems: ['conflict', 'forbidden', 'invalid_mfa_code', 'mfa_not_possible', 'mfa_required'],
  },
  'POST /api/v1/auth/mfa/challenge': {
    id: 'challengeMfa',
    summary: 'Verify a code or a passkey, so that the session has fresh MFA',
    body: body(PROOF_BODY, { code: '123456' }),
    answers: { 200: json('An access token.', ACCESS_TOKEN) },
    problems: ['forbidden', 'invalid_mfa_code', 'mfa_enrollment_required', 'mfa_not_possible'],
  },
  'POST /api/v1/auth/mfa/recovery-codes': {
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    needsFreshMfa: true,
    answers: {
      200: json('The only answer that contains these codes. Earlier codes no longer work.', RECOVERY_CODES),
    },
    problems: ['forbidden'],
  },
});

const PASSKEY_OPERATIONS = operations('passkeys', {
  'POST /api/v1/auth/passkey/options': {
    id: 'offerPasskeys',
    summary: 'Get the options with which a browser proves a passkey',
    description:
      'The challenge is good once, for five minutes. Send the answer as `passkey` to sign in or to verify MFA.',
    asker: 'visitor',
    answers: { 200: json('Options for `navigator.credentials.get()`.', PASSKEY_OPTIONS) },
  },
  'GET /api/v1/auth/passkeys': {
    id: 'listPasskeys',
    summary: "List the caller's passkeys",
    answers: { 200: json('Passkeys, oldest first.', PASSKEYS) },
    problems: ['forbidden'],
  },
  'POST /api/v1/auth/passkeys/options': {
    id: 'startPasskey',
    summary: 'Get the options with which a browser creates a passkey',
    description: 'Needs a fresh MFA, or without any second factor the password.',
    body: body(PASSKEY_START),
    answers: { 200: json('Options for `navigator.credentials.create()`.', PASSKEY_OPTIONS) },
    problems: [
      'forbidden',
      'invalid_password',
      'mfa_not_possible',
      'mfa_required',
      'recent_sign_in_required',
    ],
  },
  'POST /api/v1/auth/passkeys': {
    id: 'addPasskey',
    summary: 'Add a passkey',
    body: body(NEW_PASSKEY),
    answers: { 201: json('With recovery codes if it is the first second factor.', ADDED_PASSKEY) },
    problems: ['conflict', 'forbidden', 'mfa_required', 'quota_exceeded'],
  },
  'DELETE /api/v1/auth/passkeys/:id': {
    id: 'removePasskey',
    summary: 'Remove a passkey; the other sessions end',
    needsFreshMfa: true,
    answers: { 204: empty('The passkey no longer works.') },
    problems: ['conflict', 'forbidden'],
  },
});

const API_KEY_OPERATIONS = operations('API keys', {
  'GET /api/v1/auth/api-keys': {
    id: 'listApiKeys',
    summary: "List the caller's API keys",
    answers: { 200: json('All valid keys.', API_KEYS) },
    problems: ['forbidden'],
  },
  'POST /api/v1/auth/api-keys': {
    id: 'createApiKey',
    summary: 'Create an API key',
    needsFreshMfa: true,
    body: body(NEW_API_KEY, { name: 'Deployment engine', permissions: ['devices:write'] }),
    answers: { 201: json('The only answer that contains the key.', CREATED_API_KEY) },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/api-keys/:id': {
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    answers: { 204: empty('The key no longer works.') },
    problems: ['forbidden'],
  },
});

export const AUTH_OPERATIONS: Operations = {
  ...SESSION_OPERATIONS,
  ...MFA_OPERATIONS,
  ...PASSKEY_OPERATIONS,
  ...API_KEY_OPERATIONS,
};
