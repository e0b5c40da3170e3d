/** Copies of confirmations that were sent before they were removed, too. */

export const COPIES_OF_CONFIRMATIONS = {
  name: '2026-11-24 copies of confirmations',
  sql: `
  -- Policies that are already in force also apply to the owner.
  alter table mail_outbox no force row level security;
  update mail_outbox set copies_due = true where kind = 'deletion-completed' and status = 'sent';
  alter table mail_outbox force row level security;
`,
} as const;
