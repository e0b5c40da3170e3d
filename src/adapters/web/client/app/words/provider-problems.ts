/** Keyed by the code that the service puts into the address. */
export const providerProblemWords: Readonly<Record<string, string>> = {
  unknown_provider:
    'No organization has set up a sign-in for this email’s domain. Sign in with your password or a passkey.',
  provider_unreachable:
    'Your organization’s identity provider did not answer. Try again in a moment, or sign in another way.',
  provider_denied: 'Your identity provider did not sign you in. Ask its administrator.',
  provider_answer_invalid:
    'The answer of your identity provider could not be verified. Try again. If that fails too, tell your administrator.',
  visit_over: 'This sign-in has expired, or began in another tab. Start again.',
  not_fresh: 'Your identity provider did not ask you to sign in again. This action requires it.',
  not_provisioned:
    'Your account is not linked to this identity provider. Sign in another way and link it under Settings, Security, or ask your administrator for an account.',
  no_email:
    'Your identity provider sent no email address, so no account was created. Tell your administrator.',
  email_not_verified:
    'Your identity provider has not verified your email address, so no account was created. Tell your administrator.',
  domain_not_verified:
    'Your email’s domain is not verified for this identity provider, so no account was created. Tell your administrator.',
  account_exists:
    'An account with your email already exists. Sign in with its password or passkey, then link the identity provider under Settings, Security.',
  not_allowed: 'This account cannot sign in with this identity provider. Ask your administrator.',
  already_linked: 'This sign-in or your account is already linked. Unlink the other one first.',
  too_many_attempts: 'There were too many sign-ins from your network. Try again in a few minutes.',
};
