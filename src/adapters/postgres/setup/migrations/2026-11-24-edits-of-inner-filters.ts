/** An edit of a filter is a change of the watched filters that rely on it. */

export const EDITS_OF_INNER_FILTERS = {
  name: '2026-11-24 edits of inner filters',
  sql: `
  create or replace function mark_edited_filter() returns trigger language plpgsql as $$
    begin
      insert into live_mark (partner_id, kind)
      select coalesce(f.partner_id, g.partner_id), 'changed'
      from live_filter f left join organization g on g.id = f.org_id where f.is_watched and f.filter_id in (
        with recursive relying(id) as (
          select new.id
          union select s.id from relying r join saved_filter s on s.named @> array[r.id] and s.named <> '{}')
        select id from relying);
      return null;
    end $$;
`,
} as const;
