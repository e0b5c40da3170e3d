export const linkWords = {
  setTitle: 'Set your password',
  newPassword: 'New password',
  newPasswordHint: '8–256 characters. Longer is stronger.',
  set: 'Set password',
  setByPasskey: 'Use a passkey instead of a code',
  invitedTo: (place: string | null) =>
    place === null
      ? 'You are invited. Set a password, then sign in with it.'
      : `You are invited to ${place}. Set a password, then sign in with it.`,
  firstText: 'Nobody has an account here yet. You become the administrator of this service.',
  partner: 'Your company',
  partnerHint: 'The service provider or IT team that looks after the devices.',
  organization: 'First organization',
  organizationHint: 'A customer or department whose devices you manage. More can follow.',
  name: 'Name',
  forgot: 'Forgot your password?',
  forgotTitle: 'Forgot your password?',
  forgotText: 'Enter your email. If it has an account with a password, a link for a new one is sent there.',
  send: 'Send link',
  sent: 'If this email has an account with a password, a link is on its way. It works for 30 minutes.',
  another: 'Ask for a new link',
  back: 'Back to sign in',
  wasSet: 'Your password is set. Sign in with it.',
  emptyTitle: 'Nobody has an account here yet.',
  emptyText: 'Open the link that the service printed when it started. For a new one, run on its machine:',
  emptyCommand: 'fleetsift admin link',
};
