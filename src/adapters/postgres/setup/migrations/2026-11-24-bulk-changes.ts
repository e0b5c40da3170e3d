/** Changes of many devices can be undone (`schema/tables-fleet.ts`). */

export const BULK_CHANGES = {
  name: '2026-11-24 bulk changes',
  sql: `
  create table bulk_change (
    id uuid not null,
    org_id uuid not null references organization on delete cascade,
    actor_type text not null,
    actor_id uuid,
    expires_at timestamptz(3) not null,
    devices integer not null,
    primary key (id, org_id)
  );
  comment on table bulk_change is
    'Changes of many devices that can be undone, with a row for each organization; devices counts those not given back';

  create table bulk_changed_device (
    bulk_change_id uuid not null,
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    before jsonb not null,
    after jsonb not null,
    primary key (bulk_change_id, device_id),
    foreign key (bulk_change_id, org_id) references bulk_change on delete cascade
  );

  create index bulk_change_expiry on bulk_change (expires_at);
  create index bulk_change_org on bulk_change (org_id);
  create index bulk_changed_device_device on bulk_changed_device (device_id);
`,
} as const;
