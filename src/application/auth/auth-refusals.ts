import type { ApplicationError, FieldError } from '#application/application-error.ts';

/** How long a passkey or a fresh sign-in at a provider stands in for a password. */
const RECENT_SIGN_IN_SECONDS = 300;

export const RECENT_SIGN_IN_MS = RECENT_SIGN_IN_SECONDS * 1_000;

/** One message for an unknown email and a wrong password, so it reveals no accounts. */
export const INVALID_CREDENTIALS: ApplicationError = {
  code: 'invalid_credentials',
  detail: 'The email or password is wrong.',
};

/** One message for every reason, so it reveals nothing. */
export const PASSKEY_REFUSED: ApplicationError = {
  code: 'invalid_credentials',
  detail: 'The passkey was not accepted; ask for new options and try again.',
};

export const CODE_REQUIRED: ApplicationError = {
  code: 'mfa_required',
  detail:
    'This account needs MFA: also send the code from your authenticator app, or a recovery code, as "code".',
};

export const INVALID_PASSKEY: ApplicationError = {
  code: 'invalid_mfa_code',
  detail: 'The passkey was not accepted; ask for new options and try again.',
};

/** For people without a password. */
export const RECENT_SIGN_IN_REQUIRED: ApplicationError = {
  code: 'recent_sign_in_required',
  detail:
    'You have no password, so this needs a sign-in of the last five minutes by a passkey or your provider.',
  maxAgeSeconds: RECENT_SIGN_IN_SECONDS,
};

export const INVALID_CODE: ApplicationError = {
  code: 'invalid_mfa_code',
  detail: 'The code is wrong, has expired or has already been used.',
};

export const WRONG_PASSWORD: ApplicationError = {
  code: 'invalid_password',
  detail: 'The password is wrong.',
};

/** For API keys: only a person may manage sessions and the password. */
export const SESSION_NEEDED: ApplicationError = {
  code: 'forbidden',
  detail: 'An API key cannot do this; sign in and send an access token.',
};

/** For users of an embedding program, who have no account or session here. */
export const SIGNED_IN_ELSEWHERE: ApplicationError = {
  code: 'forbidden',
  detail: 'You are signed in by another program; manage your account there.',
};

/** The access token is still valid, but its session is over. */
export const SESSION_OVER: ApplicationError = {
  code: 'unauthenticated',
  detail: 'The session has ended or expired; sign in again.',
};

/** One message for every reason, so it reveals nothing. */
export const INVALID_REFRESH_TOKEN: ApplicationError = {
  code: 'invalid_refresh_token',
  detail: 'The refresh token is invalid, has expired or has already been used; sign in again.',
};

/** A passkey and a code were both sent. */
export const EITHER_PROOF: FieldError = {
  path: 'passkey',
  code: 'invalid_value',
  message: 'passkey takes the place of code; send either',
};
