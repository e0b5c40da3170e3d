/** Holds back what administers people from those who may not (Spec: Authentication, users:write). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { mayAdministerUsers, USERS_WRITE } from '#domain/access/permission.ts';

/** null where the caller holds users:write. */
export function refuseWithoutUsersWrite({ caller }: Call): ApplicationError | null {
  return mayAdministerUsers(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${USERS_WRITE}.` };
}
