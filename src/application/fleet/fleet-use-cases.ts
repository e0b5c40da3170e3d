import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import { makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type ListAlerts,
  makeListAlerts,
  makeReadAlert,
  makeUpdateAlert,
  type ReadAlert,
  type UpdateAlert,
} from './alerts.ts';
import {
  type ListOrganizations,
  type ListPatches,
  makeListOrganizations,
  makeListPatches,
  makeSummarizeFleet,
  type SummarizeFleet,
} from './fleet-counts.ts';
import { type ListScripts, type ListSites, makeListScripts, makeListSites } from './fleet-lists.ts';

export interface FleetUseCases {
  readonly listOrganizations: ListOrganizations;
  readonly listSites: ListSites;
  readonly listAlerts: ListAlerts;
  readonly readAlert: ReadAlert;
  readonly updateAlert: UpdateAlert;
  readonly listScripts: ListScripts;
  readonly listPatches: ListPatches;
  readonly summarizeFleet: SummarizeFleet;
}

export interface FleetPorts {
  readonly fleetLists: FleetLists;
  readonly fleetCounter: FleetCounter;
  readonly deletionRequests: DeletionRequestReader;
  readonly organizationExists: OrganizationDirectory;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeFleetUseCases(ports: FleetPorts): FleetUseCases {
  const makeEntry = makeEntryFactory(ports);
  const readAlert = makeReadAlert(ports);
  const deps = {
    ...ports,
    ...{ makeEntry, readAlert, deny: makeDeny({ ...ports, makeEntry }), narrowReach: makeNarrowReach(ports) },
  };
  return {
    listOrganizations: makeListOrganizations(deps),
    listSites: makeListSites(deps),
    listAlerts: makeListAlerts(deps),
    readAlert,
    updateAlert: makeUpdateAlert(deps),
    listScripts: makeListScripts(deps),
    listPatches: makeListPatches(deps),
    summarizeFleet: makeSummarizeFleet(deps),
  };
}
