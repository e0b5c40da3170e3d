/** Filters say which filters their conditions name. Those of earlier releases name none. */

export const FILTERS_IN_FILTERS = {
  name: '2026-11-24 filters in filters',
  sql: `
  alter table saved_filter add column named uuid[] not null default '{}';
  comment on column saved_filter.named is 'The filters that the conditions name';
  create index saved_filter_named on saved_filter using gin (named) where named <> '{}';
`,
} as const;
