/** Since when devices are members of filters (`schema/live.ts`). */

export const SINCE_WHEN = {
  name: '2026-11-24 since when',
  sql: `
  alter table live_member add column since timestamptz(3);
  comment on column live_member.since is 'When it entered or was first a member; NULL if it was one before this was kept';
`,
} as const;
