/** Two partners with people of every kind, each of whom may ask to be deleted. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type { DeletionRequest, PendingRequest } from '#domain/deletion/deletion-request.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import {
  anOrganization,
  aPartner,
  aUser,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { type FleetTarget, loadFleet } from '#test/support/tenant.ts';

export const PERSON_NAMES = [
  'of A',
  'of B',
  'of C',
  'staff of P',
  'staff of P in A',
  'staff of Q',
  'system',
] as const;
export type PersonName = (typeof PERSON_NAMES)[number];

/** Partner P has the organizations A and B, partner Q has C. */
export interface Staff {
  readonly p: PartnerId;
  readonly a: OrgId;
  readonly b: OrgId;
  readonly people: Readonly<Record<PersonName, UserRecord>>;
  readonly scopes: Readonly<Record<string, AccessScope>>;
  /** A pending request of that person, not yet stored. */
  requestOf(name: PersonName, given?: Partial<PendingRequest>): PendingRequest;
}

/** Whose requests each scope reaches; the system's are everybody's. */
export const REACHED: Readonly<Record<string, readonly PersonName[]>> = {
  'organization A': ['of A'],
  'partner P': ['of A', 'of B', 'staff of P', 'staff of P in A'],
  'partner P, but for B': ['of A'],
  'partner P, but for all': [],
  'partner Q': ['of C', 'staff of Q'],
  system: PERSON_NAMES,
};

export async function createStaff(target: FleetTarget): Promise<Staff> {
  const [p, q] = [aPartner(), aPartner()];
  const a = anOrganization({ partnerId: p.id });
  const b = anOrganization({ partnerId: p.id });
  const c = anOrganization({ partnerId: q.id });
  const of = (membership: Membership) => aUser({ membership, permissions: ['users:write'] });
  const people = {
    'of A': of({ scope: 'organization', orgId: a.id }),
    'of B': of({ scope: 'organization', orgId: b.id }),
    'of C': of({ scope: 'organization', orgId: c.id }),
    'staff of P': of({ scope: 'partner', partnerId: p.id, orgIds: null }),
    'staff of P in A': of({ scope: 'partner', partnerId: p.id, orgIds: [a.id] }),
    'staff of Q': of({ scope: 'partner', partnerId: q.id, orgIds: null }),
    system: of({ scope: 'system' }),
  };
  await loadFleet(target, [p, q, a, b, c, ...Object.values(people)]);
  return {
    p: p.id,
    a: a.id,
    b: b.id,
    people,
    scopes: {
      'organization A': orgScope(a.id),
      'partner P': partnerScope(p.id, [a.id, b.id]),
      'partner P, but for B': { kind: 'partner', partnerId: p.id, orgIds: [a.id], isWhole: false },
      'partner P, but for all': { kind: 'partner', partnerId: p.id, orgIds: [], isWhole: false },
      'partner Q': partnerScope(q.id, [c.id]),
      system: SYSTEM_SCOPE,
    },
    requestOf: (name, given = {}) => {
      const { id: userId, membership } = people[name];
      return aPendingRequest({ userId, ...attributionOf(membership), ...given });
    },
  };
}

export function attributionOf(membership: Membership): Attribution {
  return {
    orgId: membership.scope === 'organization' ? membership.orgId : null,
    partnerId: membership.scope === 'partner' ? membership.partnerId : null,
  };
}

/** Stores a request in any status. */
export function putRequest(
  { unitOfWork }: Pick<ContractBackend, 'unitOfWork'>,
  request: DeletionRequest,
): Promise<void> {
  return unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const { id, userId, orgId, partnerId, reason, requestedAt, processBy, createdAt } = request;
    await tx.deletions.add({
      ...{ id, userId, orgId, partnerId, reason, requestedAt, processBy, createdAt },
      status: 'pending',
      updatedAt: createdAt,
    });
    if (request.status !== 'pending') await tx.deletions.advance('pending', request);
  });
}
