/** The use cases of a fleet's lists and its summary, built from the ports they need. */
import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { type ListAlerts, makeListAlerts } from './list-alerts.ts';
import { type ListOrganizations, makeListOrganizations } from './list-organizations.ts';
import { type ListPatches, makeListPatches } from './list-patches.ts';
import { type ListScripts, makeListScripts } from './list-scripts.ts';
import { type ListSites, makeListSites } from './list-sites.ts';
import { makeSummarizeFleet, type SummarizeFleet } from './summarize-fleet.ts';

/** By name. Each checks who asks and what was sent, and records what it changes. */
export interface FleetUseCases {
  readonly listOrganizations: ListOrganizations;
  readonly listSites: ListSites;
  readonly listAlerts: ListAlerts;
  readonly listScripts: ListScripts;
  readonly listPatches: ListPatches;
  readonly summarizeFleet: SummarizeFleet;
}

/** What the use cases need of the outside. */
export interface FleetPorts {
  readonly fleetLists: FleetLists;
  readonly fleetCounter: FleetCounter;
  readonly deletionRequests: DeletionRequestReader;
  readonly organizationExists: OrganizationDirectory;
  readonly clock: Clock;
}

/** The use cases over these ports. */
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
