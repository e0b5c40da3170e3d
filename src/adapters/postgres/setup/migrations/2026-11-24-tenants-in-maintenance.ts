/** Organizations and sites are deleted and people invited, but not under maintenance. */

export const TENANTS_IN_MAINTENANCE = {
  name: '2026-11-24 tenants in maintenance',
  sql: `
  create trigger refuse_in_maintenance before insert on account_link for each row
    when (new.purpose = 'invitation') execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on organization
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on site
    for each row execute function refuse_in_maintenance();
`,
} as const;
