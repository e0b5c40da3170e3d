/** People as administrators see them (Contract: §16). */
import type { UserId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { digestText } from '#domain/text/digest-text.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Rights, Standing } from './rights.ts';

/** There is no status for erased people, because lists of people leave them out. */
export const PERSON_STATUSES = ['invited', 'active', 'disabled'] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface ChangeablePerson extends Rights {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly status: PersonStatus;
}

/** A row of GET /users. */
export interface Person extends ChangeablePerson {
  /** Null unless the person belongs to one organization. */
  readonly organization: Named | null;
  /** Null unless the person is a partner's own staff. */
  readonly partner: Named | null;
  readonly mfa: { readonly totp: boolean; readonly passkeys: number };
  /** The provider that made the account; null if an administrator did. */
  readonly identityProvider: Named | null;
  readonly lastSignInAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

export interface PersonPlace {
  readonly name: string;
  readonly id: UserId;
}

/** By name, ties by id. */
export function comparePeople(a: PersonPlace, b: PersonPlace): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);
}

/** For the ETag: a hash of what administrators can change, in 16 hexadecimal digits. */
export function personRevision({
  name,
  membership,
  permissions,
  isPlatformAdmin,
  status,
}: Omit<ChangeablePerson, 'id' | 'email'>): string {
  const orgIds = membership.scope === 'partner' ? [...(membership.orgIds ?? ['all'])].sort() : [];
  const place = { ...membership, orgIds };
  return digestText(JSON.stringify([name, place, [...permissions].sort(), isPlatformAdmin, status]));
}

export function standingOf({ membership, permissions, isPlatformAdmin, status }: ChangeablePerson): Standing {
  return { membership, permissions, isPlatformAdmin, isActive: status === 'active' };
}
