/** The export of devices, built from the ports it needs. */
import { makeDeny } from '#application/audit/deny.ts';
import { type MakeEntry, makeEntryFactory } from '#application/audit/make-entry.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import { makeCheckText } from '#application/filters/text/check-text.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceExporter } from '#application/ports/fleet/device-exporter.ts';
import type { NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Log } from '#application/ports/log.ts';
import { type ExportDevices, makeExportDevices } from './export-devices.ts';
import { makeResolveDeviceQuery } from './resolve-device-query.ts';
import { makeRunExport } from './run-export.ts';

export interface DeviceExportPorts {
  readonly filters: SavedFilterReader;
  readonly checkPatterns: PatternChecker;
  readonly customFields: CustomFieldSource;
  readonly namesInReach: NamesInReach;
  readonly organizationExists: OrganizationDirectory;
  readonly deviceExporter: DeviceExporter;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly log: Log;
  /** Default: the entry names the caller. */
  readonly makeEntry?: MakeEntry;
  /** See `RunExportDeps`. */
  readonly maxDurationMs?: number;
}

export function makeDeviceExport(ports: DeviceExportPorts): ExportDevices {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const deny = makeDeny({ ...ports, makeEntry });
  const checkConditions = makeCheckConditions(ports);
  const checkText = makeCheckText(ports);
  const resolveDeviceQuery = makeResolveDeviceQuery({ ...ports, checkConditions, checkText });
  const runExport = makeRunExport({ ...ports, makeEntry, deny });
  return makeExportDevices({ ...ports, resolveDeviceQuery, runExport, deny });
}
