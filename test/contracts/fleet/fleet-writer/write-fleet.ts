/** Fleets that the suites write, and what they look at afterwards. */
import type { FleetCounts, FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  aScript,
  aSite,
  located,
  orgScope,
} from '#test/support/builders.ts';
import { findHostnames, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

/** A tenant with one of everything that belongs to an organization. */
export interface Furnished extends Tenant {
  readonly site: Extract<FleetRecord, { kind: 'site' }>;
  readonly device: DeviceRecord;
  readonly records: readonly FleetRecord[];
}

/** The counts of a source with nothing in it. */
export const NO_RECORDS: FleetCounts = {
  partner: 0,
  organization: 0,
  site: 0,
  user: 0,
  apiKey: 0,
  enrolmentKey: 0,
  customField: 0,
  device: 0,
  script: 0,
  alert: 0,
  filter: 0,
  deletionRequest: 0,
  auditEntry: 0,
};

export interface FleetQuestions {
  /** Writes the records, one on each line. */
  write(...records: readonly FleetRecord[]): Promise<Result<FleetCounts, readonly FleetFault[]>>;
  furnish(): Promise<Furnished>;
  /** Two tenants that are shared and never change: for fleets that are refused. */
  shareTwo(): Promise<readonly [own: Furnished, other: Furnished]>;
  /** The hostnames of the tenant's devices that match. */
  hostnames(tenant: Tenant, group: RawGroup): Promise<readonly string[]>;
}

/** By backend. */
const shared = new WeakMap<ContractBackend, Promise<readonly [Furnished, Furnished]>>();

export function makeFleetQuestions(backend: () => ContractBackend): FleetQuestions {
  return {
    write: (...records) => backend().fleetWriter(located(records)),
    furnish: () => furnish(backend()),
    shareTwo: () => {
      const two = shared.get(backend()) ?? furnishTwo(backend());
      shared.set(backend(), two);
      return two;
    },
    hostnames: (tenant, group) => findHostnames(backend(), orgScope(tenant.orgId), group),
  };
}

/** Where the faults are; the contract does not fix their messages. */
export function placesOf(outcome: Result<FleetCounts, readonly FleetFault[]>): readonly string[] {
  if (outcome.ok) return [];
  const worded = outcome.error.filter(({ message }) => message !== '');
  return worded.map(({ line, member }) => `${line} ${member}`).toSorted();
}

async function furnishTwo(backend: ContractBackend): Promise<readonly [Furnished, Furnished]> {
  return [await furnish(backend), await furnish(backend)];
}

async function furnish(backend: ContractBackend): Promise<Furnished> {
  const tenant = await createTenant(backend);
  const { orgId, userId } = tenant;
  const site = aSite({ orgId });
  const device = aDevice({ orgId, siteId: site.id, hostname: 'desk' });
  const records = [
    site,
    device,
    aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats' }),
    aScript({ owner: { kind: 'organization', orgId } }),
    anAlert({ orgId, deviceId: device.id }),
    aFilter({ orgId, createdBy: userId }),
  ];
  await loadFleet(backend, records);
  return { ...tenant, site, device, records };
}
