/** A filter that is added may be one that watched filters name already, as after a load. */

export const ADDED_INNER_FILTERS = {
  name: '2026-11-24 added inner filters',
  sql: `
  create or replace trigger mark_edited_filter after insert or update on saved_filter
    for each row execute function mark_edited_filter();
`,
} as const;
