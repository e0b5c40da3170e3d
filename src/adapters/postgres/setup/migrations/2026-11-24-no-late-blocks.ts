/** Loads no longer make search blocks at their end; triggers make all of them (`schema/search-blocks.ts`). */

export const NO_LATE_BLOCKS = {
  name: '2026-11-24 no late blocks',
  sql: `
  drop function begin_late_blocks();
  drop function make_late_device_search_block();
  drop function make_late_script_search_block();
  drop function make_late_alert_search_block();

  create or replace function keep_device_search_block() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$
    begin
      insert into device_search_block (space, low, high, length, is_first, windows)
      select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length)::integer, bool_or(f.is_first),
        array_to_tsvector(array[f.space::text])
          || search_windows(string_agg(f.texts, chr(29)), string_agg(f.words, chr(29)))
      from (select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
        / 4096 as block
      from (
        select s.space, r.place, r.texts, r.words, r.length, b.low as before,
          coalesce(b.is_first,
            (select l.is_first from device_search_block l where l.space = s.space order by l.low limit 1),
            false) as is_first
        from (
          select t.*, length(t.texts) as length from (
            select org_id, search_place(title, id) as place, words, coalesce(texts, long_texts) as texts
            from added where not is_odd
          ) t
        ) r
        cross join lateral (values (r.org_id), ('00000000-0000-0000-0000-000000000000'::uuid)) s(space)
        left join lateral (
          select b.low, b.is_first from device_search_block b
          where b.space = s.space and b.low <= r.place collate "C"
          order by b.low desc limit 1) b on true
      ) a) f group by f.space, f.before, f.block;
      return null;
    end $$;

  create or replace function keep_script_search_block() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$
    begin
      insert into script_search_block (space, low, high, length, is_first, windows)
      select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length)::integer, bool_or(f.is_first),
        array_to_tsvector(array[f.space::text])
          || search_windows(string_agg(f.texts, chr(29)), string_agg(f.words, chr(29)))
      from (select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
        / 4096 as block
      from (
        select s.space, r.place, r.texts, r.words, r.length, b.low as before,
          coalesce(b.is_first,
            (select l.is_first from script_search_block l where l.space = s.space order by l.low limit 1),
            false) as is_first
        from (
          select t.*, length(t.texts) as length from (
            select search_place(title, id) as place, words, coalesce(texts, long_texts) as texts
            from added where not is_odd
          ) t
        ) r
        cross join lateral (values ('00000000-0000-0000-0000-000000000000'::uuid)) s(space)
        left join lateral (
          select b.low, b.is_first from script_search_block b
          where b.space = s.space and b.low <= r.place collate "C"
          order by b.low desc limit 1) b on true
      ) a) f group by f.space, f.before, f.block;
      return null;
    end $$;

  create or replace function keep_alert_search_block() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$
    begin
      insert into alert_search_block (space, low, high, length, is_first, windows)
      select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length)::integer, bool_or(f.is_first),
        array_to_tsvector(array[f.space::text])
          || search_windows(string_agg(f.texts, chr(29)), string_agg(f.words, chr(29)))
      from (select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
        / 4096 as block
      from (
        select s.space, r.place, r.texts, r.words, r.length, b.low as before,
          coalesce(b.is_first,
            (select l.is_first from alert_search_block l where l.space = s.space order by l.low limit 1),
            false) as is_first
        from (
          select t.*, length(t.texts) as length from (
            select org_id, search_place(title, id) as place, words, coalesce(texts, long_texts) as texts
            from added where not is_odd
          ) t
        ) r
        cross join lateral (values (r.org_id), ('00000000-0000-0000-0000-000000000000'::uuid)) s(space)
        left join lateral (
          select b.low, b.is_first from alert_search_block b
          where b.space = s.space and b.low <= r.place collate "C"
          order by b.low desc limit 1) b on true
      ) a) f group by f.space, f.before, f.block;
      return null;
    end $$;
`,
} as const;
