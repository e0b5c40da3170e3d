/** The sign-in page and the step-up dialog. */
export const signInWords = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  code: 'Authentication code',
  codeHint: 'Six digits from your authenticator app, or a recovery code.',
  lost: 'Lost your password or app? Ask the administrator of this server to reset it.',
  submit: 'Sign in',
  endedText: 'Your session has ended. Sign in to continue where you left off.',
  leave: 'Not you? Leave this page',
  stepUpTitle: 'Confirm it’s you',
  stepUpText: 'Enter a new authentication code to continue.',
  confirm: 'Confirm',
  enrollText: 'This needs a second factor.',
  enroll: 'Set up a second factor',
};
