/** Lists the devices of a query page by page (GET /devices, POST /devices/query; Contract: §10). */
import {
  type ApplicationError,
  DEVICE_NOT_FOUND,
  faultsOf,
  INVALID_CURSOR,
  toValidationError,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toApplicationError } from '#application/filters/evaluate/run-preview.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import { workFor } from '#application/work-for.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import {
  customFieldsOf,
  type DeviceCustomField,
  type DeviceDetails,
  type DeviceRow,
} from '#domain/device/device-row.ts';
import { positionOf } from '#domain/device/device-sort.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { checkFields } from './check-fields.ts';
import { printDeviceCursor, readDeviceCursor } from './device-cursor.ts';
import { type DevicePageChoice, type DevicePageInput, readPageInput } from './page-input.ts';
import type { DeviceQuery, DeviceQueryInput, ResolveDeviceQuery } from './resolve-device-query.ts';

export interface DeviceList {
  readonly devices: readonly DeviceRow[];
  /** The values of `columns` for each device; empty without columns. */
  readonly values: readonly ExportRow[];
  readonly columns: readonly ExportColumn[];
  readonly nextCursor: string | null;
  readonly totalCount: number | null;
  readonly evaluatedAt: EpochMs;
}

/** Errors: those of the query, `invalid_cursor`, `filter_timeout`. */
export type ListDevices = (
  call: Call,
  input: DeviceQueryInput & DevicePageInput,
) => Promise<Result<DeviceList, ApplicationError>>;

interface ListDevicesDeps {
  readonly resolveDeviceQuery: ResolveDeviceQuery;
  readonly deviceReader: DeviceReader;
  readonly customFields: CustomFieldSource;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
}

export function makeListDevices({ resolveDeviceQuery, customFields, ...deps }: ListDevicesDeps): ListDevices {
  return async (call, input) => {
    const page = readPageInput(input);
    const query = await resolveDeviceQuery(call, input);
    const scope = query.ok ? query.value.scope : call.caller.scope;
    const columns =
      input.fields === undefined ? ok([]) : await checkFields(customFields, scope, input.fields);
    if (!page.ok || !columns.ok) {
      const own = [...(page.ok ? [] : page.error), ...(columns.ok ? [] : columns.error)];
      return err(toValidationError([...own, ...faultsOf(query)]));
    }
    return query.ok ? listPage(deps, call, query.value, { ...page.value, columns: columns.value }) : query;
  };
}

async function listPage(
  { deviceReader, cursors, clock }: Omit<ListDevicesDeps, 'resolveDeviceQuery' | 'customFields'>,
  call: Call,
  query: DeviceQuery,
  { sort, limit, cursor, offset, withCount, columns }: DevicePageChoice & Pick<DeviceList, 'columns'>,
): Promise<Result<DeviceList, ApplicationError>> {
  const use = { userId: call.caller.userId, query, sort };
  const sent = cursor === null ? null : readDeviceCursor(cursors, use, cursor);
  if (cursor !== null && sent === null) return err(INVALID_CURSOR);
  const evaluatedAt = sent?.evaluatedAt ?? clock();
  const { filter, scope } = query;
  const found = await deviceReader.page({
    ...{ filter, scope, at: evaluatedAt, ...workFor(call) },
    ...{ sort, limit: limit + 1, after: sent?.position ?? null, offset, withCount, columns },
  });
  if (!found.ok) return err(toApplicationError(found.error));
  const devices = found.value.devices.slice(0, limit);
  const last = found.value.devices.length > limit ? devices.at(-1) : undefined;
  const nextCursor =
    last === undefined
      ? null
      : printDeviceCursor(cursors, use, { evaluatedAt, position: positionOf(last, sort) });
  const values = found.value.values.slice(0, limit);
  return ok({ devices, values, columns, nextCursor, totalCount: found.value.totalCount, evaluatedAt });
}

// GET /devices/:id.

export interface DeviceView extends DeviceDetails {
  /** The custom fields of the device's organization, by key. */
  readonly customFields: readonly DeviceCustomField[];
}

/** `not_found` also if the device is out of reach. */
export type ReadDevice = (call: Call, id: DeviceId) => Promise<Result<DeviceView, ApplicationError>>;

interface ReadDeviceDeps {
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly customFields: CustomFieldSource;
}

export function makeReadDevice({ deviceReader, customFields }: ReadDeviceDeps): ReadDevice {
  return async ({ caller }, id) => {
    const details = await deviceReader.find(caller.scope, id);
    if (details === null) return err(DEVICE_NOT_FOUND);
    const definitions = await customFields(narrowTo(caller.scope, details.device.orgId));
    return ok({ ...details, customFields: customFieldsOf(details.device, definitions) });
  };
}
