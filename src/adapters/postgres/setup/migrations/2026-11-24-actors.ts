/** Enrolment keys and identity providers act too. */

export const MORE_ACTORS = {
  name: '2026-11-24 more actors',
  sql: `
  alter table audit_log drop constraint audit_log_actor_type_check,
    add constraint audit_log_actor_type_check
      check (actor_type in ('user', 'api_key', 'enrolment_key', 'identity_provider', 'system'));
`,
} as const;
