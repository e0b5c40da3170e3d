/** A filter belongs to an organization or to a partner with all of its organizations. */

export const FILTERS_OF_PARTNERS = {
  name: '2026-11-24 filters of partners',
  sql: `
  alter table saved_filter alter column org_id drop not null;
  alter table saved_filter add column partner_id uuid references partner;
  alter table saved_filter add check (num_nonnulls(org_id, partner_id) = 1);
  create index saved_filter_partner on saved_filter (partner_id);
`,
} as const;
