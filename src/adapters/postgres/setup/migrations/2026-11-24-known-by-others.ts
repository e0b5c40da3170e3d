/** Creators and deciders may be people of the embedding program, who have no row here. */

export const KNOWN_BY_OTHERS = {
  name: '2026-11-24 creators and deciders need no row',
  sql: `
  alter table saved_filter drop constraint saved_filter_created_by_fkey;
  comment on column saved_filter.created_by is 'May name a person of the embedding program, who has no row here';
  alter table account_deletion_request drop constraint account_deletion_request_processed_by_fkey;
  comment on column account_deletion_request.processed_by is
    'May name a person of the embedding program, who has no row here';
`,
} as const;
