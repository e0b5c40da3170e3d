/** Subscriptions to partner-wide filters (`schema/subscriptions.ts`). */

export const SUBSCRIPTIONS_OF_PARTNERS = {
  name: '2026-11-24 subscriptions of partners',
  sql: `
  alter table subscription alter column org_id drop not null;
  alter table subscription add column partner_id uuid references partner on delete cascade;
  alter table subscription add check (num_nonnulls(org_id, partner_id) = 1);
  create index subscription_partner on subscription (partner_id);
`,
} as const;
