/** Subscriptions to filters send mails. */

export const MAILS_ABOUT_FILTERS = {
  name: '2026-11-24 mails about filters',
  sql: `
  alter table mail_outbox drop constraint mail_outbox_kind_check,
    add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset',
      'provider-linked', 'provider-unlinked', 'provider-gone',
      'filter-changes', 'filter-count'));
`,
} as const;
