/** The questions that the suites put to a device reader, and the pages that it should give. */
import type { DevicePage, DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { type DeviceRow, toDeviceRow } from '#domain/device/device-row.ts';
import {
  DEFAULT_DEVICE_SORT,
  DEVICE_SORT_KEYS,
  type DeviceSort,
  positionOf,
  positionOrder,
} from '#domain/device/device-sort.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { and, parseFilter, type RawGroup } from '#test/support/filters.ts';

/** Every sort key in both directions. */
export const EVERY_SORT: readonly DeviceSort[] = DEVICE_SORT_KEYS.flatMap((key) => [
  { key, isDescending: false },
  { key, isDescending: true },
]);

export interface ReaderQuestions {
  /** A page; the first ten by hostname with the count, unless something else is given. */
  page(scope: AccessScope, given?: Partial<DevicePageRequest>): Promise<DevicePage>;
  /** All devices, page by page, each page after the last device of the previous one. */
  walk(scope: AccessScope, given?: Partial<DevicePageRequest>): Promise<readonly DeviceRow[]>;
}

/** Filters of the core fields, as they are sent. */
export function core(group: RawGroup): Pick<DevicePageRequest, 'filter'> {
  return { filter: parseFilter(group) };
}

/** Every device. */
const EVERYTHING = parseFilter(and({ field: 'hostname', operator: 'isNotNull' }));

export function requestFor(scope: AccessScope, given: Partial<DevicePageRequest> = {}): DevicePageRequest {
  return {
    filter: EVERYTHING,
    scope,
    at: SOME_INSTANT,
    onBehalfOf: 'test',
    sort: DEFAULT_DEVICE_SORT,
    limit: 10,
    after: null,
    offset: 0,
    withCount: true,
    columns: [],
    ...given,
  };
}

export function makeReaderQuestions(backend: () => ContractBackend): ReaderQuestions {
  const page: ReaderQuestions['page'] = async (scope, given) => {
    const found = await backend().deviceReader.page(requestFor(scope, given));
    if (!found.ok) throw new Error(`the page was refused: ${found.error.kind}`);
    return { ...found.value, devices: found.value.devices.map(withPlainZeros) };
  };
  return {
    page,
    walk: async (scope, given = {}) => {
      const { sort } = requestFor(scope, given);
      const devices: DeviceRow[] = [];
      for (;;) {
        const last = devices.at(-1);
        const after = last === undefined ? null : positionOf(last, sort);
        const { devices: next } = await page(scope, { withCount: false, ...given, after });
        if (next.length === 0) return devices;
        devices.push(...next);
      }
    },
  };
}

/** The device of the record, on which no alert is active. */
export function deviceOf({ kind: _kind, ...device }: DeviceRecord): Device {
  const pendingPatchCount = device.patches?.filter(({ status }) => status === 'pending').length ?? 0;
  return { ...device, pendingPatchCount, criticalAlertCount: 0 };
}

/** What lists show of the devices, in the order of the domain. */
export function inOrder(devices: readonly Device[], sort: DeviceSort): readonly DeviceRow[] {
  const compare = positionOrder(sort);
  return devices
    .toSorted((a, b) => compare(positionOf(a, sort), positionOf(b, sort)))
    .map((device) => withPlainZeros(toDeviceRow(device)));
}

/** An answer has no negative zero, as JSON prints none; a backend may keep it or not. */
function withPlainZeros(row: DeviceRow): DeviceRow {
  const plain = (value: number | null) => (value === 0 ? 0 : value);
  const { cpuPercent, ramPercent, diskPercent } = row.metrics;
  return {
    ...row,
    metrics: {
      cpuPercent: plain(cpuPercent),
      ramPercent: plain(ramPercent),
      diskPercent: plain(diskPercent),
    },
  };
}
