import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import { type MakeEntry, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import { makeCheckText } from '#application/filters/text/check-text.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type BulkChangeDevices,
  makeBulkChangeDevices,
  makeUndoBulkChange,
  type UndoBulkChange,
} from './bulk-change.ts';
import { type DeleteDevice, type MergeDevices, makeEndDevices } from './end-devices.ts';
import { type ListDeviceFilters, makeListDeviceFilters } from './list-device-filters.ts';
import { type ListDevices, makeListDevices, makeReadDevice, type ReadDevice } from './list-devices.ts';
import { type ListDuplicates, makeListDuplicates } from './list-duplicates.ts';
import { makeResolveDeviceQuery } from './resolve-device-query.ts';
import { makeUpdateDevice, type UpdateDevice } from './update-device.ts';

export interface DeviceUseCases {
  readonly listDevices: ListDevices;
  readonly readDevice: ReadDevice;
  readonly updateDevice: UpdateDevice;
  readonly bulkChangeDevices: BulkChangeDevices;
  readonly undoBulkChange: UndoBulkChange;
  readonly deleteDevice: DeleteDevice;
  readonly mergeDevices: MergeDevices;
  readonly listDeviceFilters: ListDeviceFilters;
  readonly listDuplicates: ListDuplicates;
}

export interface DevicePorts {
  readonly deviceReader: DeviceReader;
  readonly filters: SavedFilterReader;
  readonly customFields: CustomFieldSource;
  readonly memberships: Pick<Memberships, 'membershipsOf'>;
  readonly matcher: DeviceMatcher;
  readonly namesInReach: NamesInReach;
  readonly organizationExists: OrganizationDirectory;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly checkPatterns: PatternChecker;
  readonly cursors: CursorSigner;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly filterTimeoutMs: number;
  /** Default: entries name the caller. */
  readonly makeEntry?: MakeEntry;
}

export function makeDeviceUseCases(ports: DevicePorts): DeviceUseCases {
  const checkConditions = makeCheckConditions(ports);
  const checkText = makeCheckText(ports);
  const resolveDeviceQuery = makeResolveDeviceQuery({ ...ports, checkConditions, checkText });
  const readDevice = makeReadDevice(ports);
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const deny = makeDeny({ ...ports, makeEntry });
  return {
    listDevices: makeListDevices({ ...ports, resolveDeviceQuery }),
    readDevice,
    updateDevice: makeUpdateDevice({ ...ports, readDevice, makeEntry, deny }),
    bulkChangeDevices: makeBulkChangeDevices({ ...ports, resolveDeviceQuery, makeEntry, deny }),
    undoBulkChange: makeUndoBulkChange({ ...ports, makeEntry, deny }),
    ...makeEndDevices({ ...ports, readDevice, makeEntry, deny }),
    listDeviceFilters: makeListDeviceFilters(ports),
    listDuplicates: makeListDuplicates({ ...ports, narrowReach: makeNarrowReach(ports) }),
  };
}
