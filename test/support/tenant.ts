/** Tenants for tests, loaded through the fleet writer like any other fleet. */
import type { FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { anOrganization, aPartner, aUser, located } from './builders.ts';

/** A partner with organizations, and a user of the first organization. */
export interface Tenant {
  readonly partnerId: PartnerId;
  /** The first of `orgIds`. */
  readonly orgId: OrgId;
  readonly orgIds: readonly OrgId[];
  readonly userId: UserId;
}

/** The target of loads. */
export interface FleetTarget {
  readonly fleetWriter: FleetWriter;
}

/** Loaded tenants that no test uses yet, by fleet writer. */
const RESERVES = new WeakMap<FleetWriter, Reserve>();

interface Reserve {
  readonly tenants: Tenant[];
  /** How many tenants the next load adds. */
  size: number;
}

const LARGEST_RESERVE = 32;

/**
 * Returns a tenant that no other test uses. A load of many tenants takes about as long as a load of one, so the second
 * load has two tenants, the third one four, and so on.
 */
export async function createTenant(target: FleetTarget, organizationCount = 1): Promise<Tenant> {
  if (organizationCount > 1) return createLoneTenant(target, organizationCount);
  const reserve = RESERVES.get(target.fleetWriter) ?? { tenants: [], size: 1 };
  RESERVES.set(target.fleetWriter, reserve);
  const kept = reserve.tenants.pop();
  if (kept !== undefined) return kept;
  const [first, ...others] = Array.from({ length: reserve.size }, () => aTenant(1)) as [LoadableTenant];
  reserve.size = Math.min(2 * reserve.size, LARGEST_RESERVE);
  await loadFleet(
    target,
    [first, ...others].flatMap(({ records }) => records),
  );
  reserve.tenants.push(...others.map(({ tenant }) => tenant));
  return first.tenant;
}

/** Loads exactly one tenant, for tests that count or remove everything. */
export async function createLoneTenant(target: FleetTarget, organizationCount = 1): Promise<Tenant> {
  const { tenant, records } = aTenant(organizationCount);
  await loadFleet(target, records);
  return tenant;
}

interface LoadableTenant {
  readonly tenant: Tenant;
  readonly records: readonly FleetRecord[];
}

function aTenant(organizationCount: number): LoadableTenant {
  const partner = aPartner();
  const organizations = Array.from({ length: organizationCount }, () =>
    anOrganization({ partnerId: partner.id }),
  );
  const orgIds = organizations.map(({ id }) => id) as [OrgId];
  const user = aUser({ membership: { scope: 'organization', orgId: orgIds[0] } });
  return {
    tenant: { partnerId: partner.id, orgId: orgIds[0], orgIds, userId: user.id },
    records: [partner, ...organizations, user],
  };
}

/** Loads valid records; throws if they are refused. */
export async function loadFleet(
  { fleetWriter }: FleetTarget,
  records: readonly FleetRecord[],
): Promise<void> {
  const outcome = await fleetWriter(located(records));
  if (!outcome.ok) throw new Error(`the fleet was refused: ${JSON.stringify(outcome.error)}`);
}

/** Enables or disables a person, as an administrator would. */
export async function setStatus(
  { people }: Pick<Transaction, 'people'>,
  id: UserId,
  status: 'active' | 'disabled',
): Promise<void> {
  const person = await people.hold(id);
  if (person === null) throw new Error(`there is no person ${id}`);
  await people.replace({ ...person, status });
}
