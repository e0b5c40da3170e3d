import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { mayAdministerUsers, USERS_WRITE } from '#domain/access/permission.ts';

/** Null if the caller holds users:write, else `forbidden` (Spec: Authentication). */
export function refuseWithoutUsersWrite({ caller }: Call): ApplicationError | null {
  return mayAdministerUsers(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${USERS_WRITE}.` };
}
