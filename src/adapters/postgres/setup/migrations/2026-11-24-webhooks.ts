/** Webhooks sign, and keep what they send (`schema/subscriptions.ts`). */

export const WEBHOOKS = {
  name: '2026-11-24 webhooks',
  sql: `
  alter table subscription
    add column secret text,
    add column former_secret text,
    add column former_secret_until timestamptz(3);
  comment on column subscription.secret is 'The sealed secret that a webhook signs with';

  create table webhook_delivery (
    id uuid primary key,
    subscription_id uuid not null references subscription on delete cascade,
    from_cursor text,
    to_cursor text,
    position bigint,
    body text not null,
    status text not null check (status in ('pending', 'delivered', 'failed')),
    at timestamptz(3) not null,
    http_status integer,
    duration_ms integer,
    error text,
    is_requested boolean not null default false
  );
  create index webhook_delivery_subscription on webhook_delivery (subscription_id, id);
  create index webhook_delivery_requested on webhook_delivery (subscription_id) where is_requested;
  comment on table webhook_delivery is 'Messages to receivers of webhooks; without a position: tests';
  comment on column webhook_delivery.is_requested is 'Whether it is sent once more, whatever the subscription does';

  alter table mail_outbox drop constraint mail_outbox_kind_check, add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset',
      'provider-linked', 'provider-unlinked', 'provider-gone',
      'filter-changes', 'filter-count', 'webhook-paused'));
`,
} as const;
