export const signInWords = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  code: 'Authentication code',
  codeHint: 'Six digits from your authenticator app, or a recovery code.',
  lost: 'Lost your authenticator app? Use a recovery code, or ask your administrator for a reset.',
  submit: 'Sign in',
  byPasskey: 'Sign in with a passkey',
  byOrganization: 'Sign in with your organization',
  emailForOrganization: 'Enter your work email first: its domain finds your organization’s sign-in.',
  usePasskey: 'Use a passkey',
  again: (provider: string) => `Sign in with ${provider} again`,
  endedText: 'Your session has ended. Sign in to continue where you left off.',
  leave: 'Not you? Leave this page',
  stepUpTitle: 'Confirm it’s you',
  stepUpText: 'Enter a new authentication code to continue.',
  recentText:
    'You have no password here, so confirm with your passkey or your organization’s sign-in to continue.',
  againText: 'Your second factor is at your identity provider. Sign in there again to continue.',
  confirm: 'Confirm',
  enroll: 'Set up a second factor',
  provider: {
    problems: {
      unknown_provider:
        'No organization has set up a sign-in for this email’s domain. Sign in with your password or a passkey.',
      provider_unreachable:
        'Your organization’s identity provider did not answer. Try again in a moment, or sign in another way.',
      provider_denied: 'Your identity provider did not sign you in. Ask whoever looks after it.',
      provider_answer_invalid:
        'The answer of your identity provider could not be trusted. Try again; if it happens again, tell your administrator.',
      visit_over: 'This sign-in has expired, or began in another tab. Start again.',
      not_fresh: 'Your identity provider did not ask you to sign in again, which this needs.',
      not_provisioned:
        'Your account is not linked to this identity provider. Sign in another way and link it under Settings, Security, or ask your administrator for an account.',
      no_email:
        'Your identity provider told no email address, so no account was made. Tell your administrator.',
      email_not_verified:
        'Your identity provider has not verified your email address, so no account was made. Tell your administrator.',
      domain_not_verified:
        'Your email’s domain is not verified for this identity provider, so no account was made. Tell your administrator.',
      account_exists:
        'An account with your email exists already. Sign in with its password or passkey, then link the identity provider under Settings, Security.',
      not_allowed: 'This account cannot sign in with this identity provider. Ask your administrator.',
      already_linked: 'This sign-in, or your account, is linked already. Unlink the other one first.',
      too_many_attempts: 'There were too many sign-ins from your network. Try again in a few minutes.',
    } as Readonly<Record<string, string>>,
  },
};
