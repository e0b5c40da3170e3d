/** Tenants for tests, put in through the fleet writer as any other fleet. */
import type { FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { anOrganization, aPartner, aUser, located } from './builders.ts';

/** A partner with organizations, and a user of the first of them. */
export interface Tenant {
  readonly partnerId: PartnerId;
  /** The first of `orgIds`. */
  readonly orgId: OrgId;
  readonly orgIds: readonly OrgId[];
  readonly userId: UserId;
}

/** Where tenants are put in. */
export interface FleetTarget {
  readonly fleetWriter: FleetWriter;
}

/** A new tenant that nothing else knows of. */
export async function createTenant(target: FleetTarget, organizationCount = 1): Promise<Tenant> {
  const partner = aPartner();
  const first = anOrganization({ partnerId: partner.id });
  const others = Array.from({ length: organizationCount - 1 }, () =>
    anOrganization({ partnerId: partner.id }),
  );
  const user = aUser({ membership: { scope: 'organization', orgId: first.id } });
  await loadFleet(target, [partner, first, ...others, user]);
  return {
    partnerId: partner.id,
    orgId: first.id,
    orgIds: [first.id, ...others.map(({ id }) => id)],
    userId: user.id,
  };
}

/** Puts records in that are known to be good; throws where they are not. */
export async function loadFleet(
  { fleetWriter }: FleetTarget,
  records: readonly FleetRecord[],
): Promise<void> {
  const outcome = await fleetWriter(located(records));
  if (!outcome.ok) throw new Error(`the fleet was refused: ${JSON.stringify(outcome.error)}`);
}

/** Enables or disables a person as an administrator does. */
export async function setStatus(
  { people }: Pick<Transaction, 'people'>,
  id: UserId,
  status: 'active' | 'disabled',
): Promise<void> {
  const person = await people.hold(id);
  if (person === null) throw new Error(`there is no person ${id}`);
  await people.replace({ ...person, status });
}
