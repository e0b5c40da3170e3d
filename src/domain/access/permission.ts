/** What a caller may be allowed beyond what everybody may. */
import type { Caller } from './caller.ts';

/** Administers people: reviews deletion requests, reads the audit log (Spec: Authentication). */
export const USERS_WRITE = 'users:write';

export function mayAdministerUsers({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.has(USERS_WRITE);
}
