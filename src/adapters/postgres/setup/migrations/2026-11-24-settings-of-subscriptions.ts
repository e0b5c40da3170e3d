/** Subscriptions have settings by kind, and webhooks and mails a position in the changes (`schema/subscriptions.ts`). */

export const SETTINGS_OF_SUBSCRIPTIONS = {
  name: '2026-11-24 settings of subscriptions',
  sql: `
  alter table subscription
    add column url text,
    add column recipients uuid[],
    add column notify jsonb,
    add column batch_seconds integer,
    add column guard jsonb,
    add column position bigint not null default 0,
    add column due_at timestamptz(3),
    add column attempts integer not null default 0,
    add column failing_since timestamptz(3),
    add column claim uuid,
    add column claimed_until timestamptz(3);
  alter table subscription drop constraint subscription_kind_check,
    add constraint subscription_kind_check check (kind in ('feed', 'webhook', 'mail'));
  comment on column subscription.position is
    'The number of the last change that a webhook or mail has told, or after which it began';
  comment on column subscription.due_at is 'Nothing is told before; NULL: at once';
`,
} as const;
