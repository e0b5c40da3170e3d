/** The sign-in page and the step-up dialog. */
export const signInWords = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  code: 'Authentication code',
  codeHint: 'Six digits from your authenticator app, or a recovery code.',
  lost: 'Whoever runs this server can reset a lost password or app.',
  submit: 'Sign in',
  endedText:
    'Your session has ended. What you were doing is still here, and goes on once you have signed in.',
  leave: 'Not you? Leave this page',
  stepUpTitle: 'Confirm that it is you',
  stepUpText: 'This needs a fresh authentication code. What you were doing goes on afterwards.',
  confirm: 'Confirm',
  enrollText: 'This needs a second factor, and you have none yet.',
  enroll: 'Set up a second factor',
};
