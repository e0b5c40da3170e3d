/** Permissions beyond what every caller may do. */
import type { Caller } from './caller.ts';

/** Reviewing deletion requests and reading the audit log (Spec: Authentication). */
export const USERS_WRITE = 'users:write';

export function mayAdministerUsers({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.has(USERS_WRITE);
}
