/** What those are told who cannot sign in or prove their factor. */
import type { ApplicationError } from '#application/application-error.ts';

/** The same for an email that nobody has and for a wrong password. */
export const INVALID_CREDENTIALS: ApplicationError = {
  code: 'invalid_credentials',
  detail: 'The email or the password is wrong.',
};

export const CODE_REQUIRED: ApplicationError = {
  code: 'mfa_required',
  detail: 'Send the code of your authenticator app, or a recovery code, as "code" too.',
};

export const INVALID_CODE: ApplicationError = {
  code: 'invalid_mfa_code',
  detail: 'The code is wrong, has expired or has been used already.',
};

/** The same for every reason, so that nobody learns what a token was. */
export const INVALID_REFRESH_TOKEN: ApplicationError = {
  code: 'invalid_refresh_token',
  detail: 'The refresh token is not valid, has expired or has been used already; sign in again.',
};
