/** The use cases of a fleet's lists and its summary. */
import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import {
  type ListOrganizations,
  type ListPatches,
  makeListOrganizations,
  makeListPatches,
  makeSummarizeFleet,
  type SummarizeFleet,
} from './fleet-counts.ts';
import {
  type ListAlerts,
  type ListScripts,
  type ListSites,
  makeListAlerts,
  makeListScripts,
  makeListSites,
} from './fleet-lists.ts';

export interface FleetUseCases {
  readonly listOrganizations: ListOrganizations;
  readonly listSites: ListSites;
  readonly listAlerts: ListAlerts;
  readonly listScripts: ListScripts;
  readonly listPatches: ListPatches;
  readonly summarizeFleet: SummarizeFleet;
}

export interface FleetPorts {
  readonly fleetLists: FleetLists;
  readonly fleetCounter: FleetCounter;
  readonly deletionRequests: DeletionRequestReader;
  readonly organizationExists: OrganizationDirectory;
  readonly clock: Clock;
}

export function makeFleetUseCases(ports: FleetPorts): FleetUseCases {
  const deps = { ...ports, narrowReach: makeNarrowReach(ports) };
  return {
    listOrganizations: makeListOrganizations(deps),
    listSites: makeListSites(deps),
    listAlerts: makeListAlerts(deps),
    listScripts: makeListScripts(deps),
    listPatches: makeListPatches(deps),
    summarizeFleet: makeSummarizeFleet(deps),
  };
}
