/** Administrators are reminded once of a pending deletion request. */

export const REMINDERS = {
  name: '2026-11-28 reminders',
  sql: `
  alter table account_deletion_request add column reminded_at timestamptz(3);
  comment on column account_deletion_request.reminded_at is
    'When the administrators were reminded, which happens once';
  create index account_deletion_request_to_remind on account_deletion_request (process_by)
    where status = 'pending' and reminded_at is null;

  alter table mail_outbox drop constraint mail_outbox_kind_check, add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-reminder', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset',
      'provider-linked', 'provider-unlinked', 'provider-gone',
      'filter-changes', 'filter-count', 'webhook-paused'));
`,
} as const;
