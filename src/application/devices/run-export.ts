/**
 * Produces an export while it is read, and records how it ended (Contract: §8, §10). A success is recorded before the
 * last piece, so every complete export is on record. Otherwise the entry says "denied", with the number of rows sent.
 */
import type { ApplicationError } from '#application/application-error.ts';
import {
  asDenied,
  type Deny,
  type MakeEntry,
  makeDeny,
  makeEntryFactory,
} from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import { toApplicationError } from '#application/filters/evaluate/run-preview.ts';
import { makeCheckText } from '#application/filters/text/check-text.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceExporter } from '#application/ports/fleet/device-exporter.ts';
import type { NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Log } from '#application/ports/log.ts';
import { traceOf } from '#application/telemetry/error-words.ts';
import { workFor } from '#application/work-for.ts';
import { canReachAll } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';
import { type ExportFormat, makeExportPrinter } from '#domain/export/print-export.ts';
import { fieldsUsed } from '#domain/filter/conditions/fold-conditions.ts';
import { ok, type Result } from '#domain/result.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { type ExportDevices, makeExportDevices } from './export-devices.ts';
import { type DeviceQuery, makeResolveDeviceQuery } from './resolve-device-query.ts';

export interface DeviceExport {
  readonly format: ExportFormat;
  /** Produced on demand. Throws if the export cannot continue. Leaving the loop early cuts the export off. */
  readonly pieces: AsyncGenerator<string, void>;
  readonly rowCount: () => number;
}

export type RunExport = (
  call: Call,
  query: DeviceQuery,
  format: ExportFormat,
  columns: readonly ExportColumn[],
) => Promise<Result<DeviceExport, ApplicationError>>;

export interface RunExportDeps {
  readonly deviceExporter: DeviceExporter;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly log: Log;
  /** Default: ten minutes. */
  readonly maxDurationMs?: number;
}

/**
 * While an export holds its snapshot, PostgreSQL keeps all row versions that are replaced. A slow reader must
 * not cause this for hours.
 */
const MAX_DURATION_MS = 10 * MINUTE_MS;

export function makeRunExport(deps: RunExportDeps): RunExport {
  const { maxDurationMs = MAX_DURATION_MS } = deps;
  return async (call, query, format, columns) => {
    const at = deps.clock();
    const { filter, scope, orgId, filterId } = query;
    const facts = {
      conditionFields: fieldsUsed(filter),
      columns: columns.map(({ key }) => key),
      format,
      ...(filterId !== null && { filterId }),
    };
    const time = limitTime(call.signal, maxDurationMs);
    const work = { ...workFor(call), signal: time.signal };
    const batches = deps.deviceExporter({ filter, scope, at, columns, ...work })[Symbol.asyncIterator]();
    const attempt = { action: 'device.export', resourceId: null, orgId } as const;
    let first: IteratorResult<readonly ExportRow[], unknown>;
    try {
      first = await batches.next();
    } catch (error) {
      time.stop();
      if (!(error instanceof MatchStreamError)) throw error;
      const { refusal } = error;
      return deps.deny(call, { ...attempt, reason: refusal.kind }, toApplicationError(refusal));
    }
    const toEntry = (rows: number) => deps.makeEntry(call, { ...attempt, details: { ...facts, rows } });
    return ok(
      handOver(deps, {
        format,
        printer: makeExportPrinter(format, columns, at),
        batches,
        first,
        toEntry,
        time,
        isInReach: async () => {
          const reach = call.reachNow === undefined ? scope : await call.reachNow();
          return reach !== null && canReachAll(reach, scope);
        },
      }),
    );
  };
}

interface Opened {
  readonly format: ExportFormat;
  readonly printer: ReturnType<typeof makeExportPrinter>;
  readonly batches: AsyncIterator<readonly ExportRow[], unknown>;
  readonly first: IteratorResult<readonly ExportRow[], unknown>;
  readonly toEntry: (rows: number) => AuditEntry;
  readonly time: TimeLimit;
  readonly isInReach: () => Promise<boolean>;
}

function handOver(
  { auditLog, log }: Pick<RunExportDeps, 'auditLog' | 'log'>,
  { format, printer, batches, first, toEntry, time, isInReach }: Opened,
): DeviceExport {
  let rows = 0;

  async function* pieces(): AsyncGenerator<string, void> {
    // `cancelled` is the default, because a reader who leaves causes no error.
    let cutOffBy: string | null = 'cancelled';
    try {
      if (printer.head !== '') yield printer.head;
      for (let batch = first; batch.done !== true; batch = await batches.next()) {
        // A change of access must take effect within a second (Contract: §2), so each further batch checks the reach.
        if (batch !== first && !(await isInReach())) throw new AccessLostError();
        rows += batch.value.length;
        let text = '';
        for (const row of batch.value) text += printer.row(row);
        yield text;
      }
      await auditLog(toEntry(rows));
      cutOffBy = null;
    } catch (error) {
      cutOffBy = time.isUp() ? 'too_slow' : reasonOf(error);
      throw error;
    } finally {
      time.stop();
      if (cutOffBy !== null) {
        // If the signal ended the stream, `return` rejects with the error that is being thrown already.
        await batches.return?.().catch(() => undefined);
        await recordCutOff(toEntry(rows), cutOffBy);
      }
    }
  }

  /** A failure to record is only logged, so the reader sees the original error. */
  async function recordCutOff(entry: AuditEntry, reason: string): Promise<void> {
    const { result, details } = asDenied(reason);
    await auditLog({ ...entry, result, details: { ...entry.details, ...details } }).catch(
      (error: unknown) => {
        const { requestId } = entry;
        log.error(
          { requestId, reason, rows, error: traceOf(error) },
          'an export was cut off but could not be recorded',
        );
      },
    );
  }

  return { format, pieces: pieces(), rowCount: () => rows };
}

class AccessLostError extends Error {
  constructor() {
    super('the caller may no longer read the exported devices');
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AccessLostError) return 'access_lost';
  return error instanceof MatchStreamError ? error.refusal.kind : 'failed';
}

interface TimeLimit {
  readonly signal: AbortSignal;
  readonly isUp: () => boolean;
  readonly stop: () => void;
}

function limitTime(signal: AbortSignal | undefined, maxMs: number): TimeLimit {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), maxMs);
  return {
    signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    isUp: () => limit.signal.aborted,
    stop: () => clearTimeout(timer),
  };
}

export interface DeviceExportPorts {
  readonly filters: SavedFilterReader;
  readonly checkPatterns: PatternChecker;
  readonly customFields: CustomFieldSource;
  readonly namesInReach: NamesInReach;
  readonly organizationExists: OrganizationDirectory;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly deviceExporter: DeviceExporter;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly log: Log;
  /** Default: the entry names the caller. */
  readonly makeEntry?: MakeEntry;
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
