/** Which owners each caller of the tenants reaches in lists and searches. */
import type { KeyName, OrgName, UserName } from './tenants.ts';

export type CallerName = UserName | KeyName | 'none';
export type OwnerName = OrgName | 'P' | 'Q';

/** Owners in order; null for callers without valid credentials. A partner owns scripts only. */
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
