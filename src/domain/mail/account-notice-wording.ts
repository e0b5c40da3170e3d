/** Mails that tell people what happened to their sign-in. They contain nothing that helps to sign in. */
import {
  accountFooter,
  formatInstant,
  MAX_NAME,
  type MailWording,
  paragraph,
  typedLine,
} from './mail-content.ts';
import type { AccountNotice } from './queued-mail.ts';

export function describeNotice({ kind, facts }: AccountNotice, baseUrl: string): MailWording {
  const { subject, heading, text } = NOTICES[kind];
  const name = 'name' in facts ? typedLine(facts.name, MAX_NAME) : '';
  return {
    subject,
    heading,
    blocks: [
      paragraph(text),
      {
        kind: 'facts',
        rows: [
          ...(name === '' ? [] : [[whatIsNamed(kind), name] as const]),
          ['When', formatInstant(facts.at)],
        ],
      },
      paragraph(
        'If this was you, there is nothing to do. If it was not, tell your administrator at once: somebody else may have access to your account.',
      ),
    ],
    footer: accountFooter(baseUrl),
  };
}

function whatIsNamed(kind: AccountNotice['kind']): string {
  if (kind.startsWith('passkey')) return 'Passkey';
  return kind.startsWith('provider') ? 'Identity provider' : 'Key';
}

const NOTICES: Readonly<Record<AccountNotice['kind'], Record<'subject' | 'heading' | 'text', string>>> = {
  'mfa-enrolled': {
    subject: 'An authenticator app was set up for your account',
    heading: 'An authenticator app was set up',
    text: 'An authenticator app was set up for your account, in place of any earlier one. Recovery codes from before no longer work, and you have been signed out everywhere else.',
  },
  'recovery-code-used': {
    subject: 'A recovery code of your account was used',
    heading: 'A recovery code was used',
    text: 'One of your recovery codes was used in place of a code from your authenticator app. It does not work again.',
  },
  'codes-guessed': {
    subject: 'Many wrong codes were entered for your account',
    heading: 'Many wrong codes were entered for your account',
    text: 'In the last 24 hours, 20 wrong codes from an authenticator app were entered for your account. The person who entered them may know your password. For up to 24 hours, codes are accepted only from networks that you have signed in from before.',
  },
  'api-key-created': {
    subject: 'An API key was created for your account',
    heading: 'An API key was created',
    text: 'An API key that acts on your behalf was created.',
  },
  'api-key-revoked': {
    subject: 'An API key of your account was revoked',
    heading: 'An API key was revoked',
    text: 'One of your API keys was revoked and no longer works.',
  },
  'password-changed': {
    subject: 'The password of your account was changed',
    heading: 'Your password was changed',
    text: 'The password of your account was changed. The earlier one no longer works, and you have been signed out everywhere else. API keys still work.',
  },
  'recovery-codes-renewed': {
    subject: 'New recovery codes were made for your account',
    heading: 'New recovery codes were made',
    text: 'New recovery codes were made for your account. Recovery codes from before no longer work.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    text: 'A passkey was added to your account. It signs in without your password and without a code.',
  },
  'passkey-removed': {
    subject: 'A passkey of your account was removed',
    heading: 'A passkey was removed',
    text: 'One of your passkeys was removed and no longer signs in. You have been signed out everywhere else.',
  },
  'provider-linked': {
    subject: 'An identity provider can now sign in to your account',
    heading: 'An identity provider was linked',
    text: 'Your account was linked to an identity provider. Anyone who can sign in there as you can now sign in to your account.',
  },
  'provider-unlinked': {
    subject: 'An identity provider no longer signs in to your account',
    heading: 'An identity provider was unlinked',
    text: 'Your account is no longer linked to an identity provider, which can no longer sign you in.',
  },
  'mfa-removed': {
    subject: 'The second factor of your account was reset',
    heading: 'Your second factor was reset',
    text: 'An administrator has reset the second factor of your account. If you had an authenticator app, passkeys or recovery codes, they no longer work. You have been signed out everywhere. Sign in with your password or your identity provider, and set up a new second factor in your settings. If you have neither, ask your administrator.',
  },
  'password-reset': {
    subject: 'The password of your account was changed',
    heading: 'Your password was changed',
    text: 'A new password was set for your account with a link that was sent to this address. The earlier one no longer works, and you have been signed out everywhere. API keys still work.',
  },
};
