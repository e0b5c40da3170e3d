/** The questions that the suites put to a matcher, and the fleets that they put them to. */
import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { aDevice, SOME_INSTANT } from '#test/support/builders.ts';
import { and, findHostnames, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

export const EVERY_DEVICE = and({ field: 'hostname', operator: 'isNotNull' });
export const ONLINE = and({ field: 'status', operator: 'equals', value: 'online' });

/** More than two batches of any size that a matcher is likely to use. */
export const MANY = 2500;

export interface MatcherQuestions {
  /** A request for the devices that match; every one, unless a filter is given. */
  requestFor(scope: AccessScope, group?: RawGroup): MatchRequest;
  /** The hostnames of the devices that match, in the order of a preview. */
  hostnames(scope: AccessScope, group?: RawGroup): Promise<readonly string[]>;
  /** Every id of a stream, in the order in which they came. */
  collectIds(request: MatchRequest): Promise<readonly DeviceId[]>;
  /** A new organization with devices of these hostnames. */
  createNamed(...names: readonly string[]): Promise<Tenant>;
  /** A new organization with many devices, whose ids ascend, as do the hostnames. */
  createMany(): Promise<ManyDevices>;
  /** The same, made once for all who change nothing in it. */
  shareMany(): Promise<ManyDevices>;
}

interface ManyDevices {
  readonly tenant: Tenant;
  readonly ids: readonly DeviceId[];
}

/** By backend. */
const shared = new WeakMap<ContractBackend, Promise<ManyDevices>>();

export function makeMatcherQuestions(backend: () => ContractBackend): MatcherQuestions {
  return {
    requestFor: (scope, group = EVERY_DEVICE) => ({
      filter: parseFilter(group),
      scope,
      at: SOME_INSTANT,
      onBehalfOf: 'test',
    }),
    hostnames: (scope, group = EVERY_DEVICE) => findHostnames(backend(), scope, group),
    collectIds: async (request) => (await Array.fromAsync(backend().matcher.streamIds(request))).flat(),
    createNamed: async (...names) => {
      const tenant = await createTenant(backend());
      const devices = names.map((hostname) => aDevice({ orgId: tenant.orgId, hostname }));
      await loadFleet(backend(), devices);
      return tenant;
    },
    createMany: () => createMany(backend()),
    shareMany: () => {
      const many = shared.get(backend()) ?? createMany(backend());
      shared.set(backend(), many);
      return many;
    },
  };
}

async function createMany(backend: ContractBackend): Promise<ManyDevices> {
  const tenant = await createTenant(backend);
  const devices = Array.from({ length: MANY }, () => aDevice({ orgId: tenant.orgId }));
  await loadFleet(backend, devices);
  return { tenant, ids: devices.map(({ id }) => id) };
}
