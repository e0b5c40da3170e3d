/** Whose things each caller of the tenants sees: for lists and searches of what organizations and partners own. */
import type { KeyName, OrgName, UserName } from './tenants.ts';

export type CallerName = UserName | KeyName | 'none';
export type OwnerName = OrgName | 'P' | 'Q';

/** In order; null for those that are nobody. A partner has scripts only. */
export const REACH: Readonly<Record<CallerName, readonly OwnerName[] | null>> = {
  none: null,
  'key-expired': null,
  disabled: null,
  system: ['A', 'B', 'C', 'D', 'P', 'Q'],
  'key-system': ['A', 'B', 'C', 'D', 'P', 'Q'],
  'P-all': ['A', 'B', 'D', 'P'],
  'key-P': ['A', 'B', 'D', 'P'],
  'P-subset': ['A', 'P'],
  'P-none': [],
  'key-P-to-C': [],
  'key-A-to-C': [],
  'Q-all': ['C', 'Q'],
  'A-admin': ['A', 'P'],
  'A-user': ['A', 'P'],
  'key-A': ['A', 'P'],
  'key-P-to-A': ['A', 'P'],
  'B-user': ['B', 'P'],
  'C-user': ['C', 'Q'],
};

export const CALLERS = Object.keys(REACH) as readonly CallerName[];
export const ORGS: readonly OrgName[] = ['A', 'B', 'C', 'D'];
