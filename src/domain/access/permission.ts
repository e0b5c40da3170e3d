import type { Caller } from './caller.ts';

/** Allows managing people, reviewing deletion requests and reading the audit log (Spec: Authentication). */
export const USERS_WRITE = 'users:write';

/** Allows changing devices and defining custom fields (Contract: §10). */
export const DEVICES_WRITE = 'devices:write';

/** All permissions, as given to administrators by the demo and by `admin create`. */
export const ADMINISTRATOR_PERMISSIONS = [USERS_WRITE, DEVICES_WRITE] as const;

/** Whether the caller holds `users:write`. */
export function mayAdministerUsers({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.has(USERS_WRITE);
}

/** Whether the caller holds `devices:write`. */
export function mayChangeDevices({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.has(DEVICES_WRITE);
}
