/**
 * Subscriptions to changes of filters' members. A trigger keeps a filter watched while it has an active subscription.
 */
const sql = String.raw;

export const SUBSCRIPTIONS = sql`
  create table subscription (
    id uuid primary key,
    org_id uuid references organization on delete cascade,
    filter_id uuid not null,
    name text not null,
    kind text not null constraint subscription_kind_check check (kind in ('feed', 'webhook', 'mail')),
    state text not null check (state in ('active', 'paused', 'ended')),
    created_by uuid not null,
    created_at timestamptz(3) not null,
    url text,
    recipients uuid[],
    notify jsonb,
    batch_seconds integer,
    guard jsonb,
    position bigint not null default 0,
    due_at timestamptz(3),
    attempts integer not null default 0,
    failing_since timestamptz(3),
    claim uuid,
    claimed_until timestamptz(3),
    partner_id uuid references partner on delete cascade,
    secret text,
    former_secret text,
    former_secret_until timestamptz(3),
    check (num_nonnulls(org_id, partner_id) = 1)
  );
  create index subscription_org on subscription (org_id);
  create index subscription_partner on subscription (partner_id);
  create index subscription_filter on subscription (filter_id);
  comment on table subscription is 'Subscriptions to saved filters, which they outlive as ended';
  comment on column subscription.created_by is 'May name a person of the embedding program, who has no row here';
  comment on column subscription.position is
    'The number of the last change that a webhook or mail has told, or after which it began';
  comment on column subscription.due_at is 'Nothing is told before; NULL: at once';
  comment on column subscription.secret is 'The sealed secret that a webhook signs with';
  create trigger refuse_in_maintenance before delete on subscription
    for each row execute function refuse_in_maintenance();

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

  create function watch_subscribed_filter() returns trigger language plpgsql as $$
    declare
      changed subscription := coalesce(new, old);
    begin
      if exists (select 1 from subscription where filter_id = changed.filter_id and state = 'active') then
        perform watch_filter(changed.filter_id);
      else
        perform unwatch_filter(changed.filter_id);
      end if;
      return null;
    end $$;
  create trigger watch_subscribed_filter after insert or delete or update of state on subscription
    for each row execute function watch_subscribed_filter();
`;
