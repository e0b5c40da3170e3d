import { type MakeEntry, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type CreatePlace,
  type DeletePlace,
  type ListPartners,
  makeCreatePlace,
  makeDeletePlace,
  makeListPartners,
  makeRenamePlace,
  type RenamePlace,
} from './manage-tenants.ts';

/** Contract: §16. */
export interface TenantUseCases {
  readonly listPartners: ListPartners;
  readonly createPlace: CreatePlace;
  readonly renamePlace: RenamePlace;
  readonly deletePlace: DeletePlace;
}

export interface TenantPorts {
  readonly listTenants: ListTenants;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly makeEntry?: MakeEntry;
}

export function makeTenantUseCases(ports: TenantPorts): TenantUseCases {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const deps = { ...ports, makeEntry, deny: makeDeny({ ...ports, makeEntry }) };
  return {
    listPartners: makeListPartners(deps),
    createPlace: makeCreatePlace(deps),
    renamePlace: makeRenamePlace(deps),
    deletePlace: makeDeletePlace(deps),
  };
}
