/** Marks are announced to workers that listen (`schema/live.ts`). */

export const LIVE_NEWS = {
  name: '2026-11-24 live news',
  sql: `
  create function announce_marks() returns trigger language plpgsql as $$
    begin
      -- A commit that notifies waits for all others that do. So one at a time does, and the next look finds the rest.
      if pg_try_advisory_xact_lock(7317008) then perform pg_notify('fleetsift_marks', ''); end if;
      return null;
    end $$;
  create trigger announce_marks after insert on live_mark for each statement execute function announce_marks();
`,
} as const;
