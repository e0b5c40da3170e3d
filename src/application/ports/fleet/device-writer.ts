import type { DeviceMerge, MergeableDevice } from '#domain/device/merge-devices.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceId } from '#domain/ids.ts';

/** Changes that people make to devices. Works within a transaction and its scope (Contract: §10). */
export interface DeviceWriter {
  /**
   * Locks the device against other writers, reports and loads until the transaction ends. Null if unknown or out of
   * reach. Rejects if another transaction, such as a load, keeps it locked.
   */
  findForUpdate(id: DeviceId): Promise<ChangeableDevice | null>;
  /** Stores what people change, not what inventories report. Filters and searches see the change at commit. */
  replace(device: ChangeableDevice): Promise<void>;
  /** The devices in reach, each once, locked as by `findForUpdate`. Uses one statement for any number of devices. */
  hold(ids: readonly DeviceId[]): Promise<readonly ChangeableDevice[]>;
  /** Stores tags, custom values and statuses of locked devices in one statement. Display names do not change. */
  replaceAll(devices: readonly ChangeableDevice[]): Promise<void>;
  /** Devices in reach with the data that merging and deleting need, locked as by `findForUpdate`. */
  findAllForUpdate(ids: readonly DeviceId[]): Promise<readonly MergeableDevice[]>;
  /**
   * Stores a merge of two locked devices of one organization. The device that stays gets the alerts and keys of the
   * removed one.
   */
  merge(merge: DeviceMerge): Promise<void>;
  /** Removes a locked device with all that belongs to it. Another device can then have its machine keys. */
  remove(device: Pick<ChangeableDevice, 'id' | 'orgId'>): Promise<void>;
}
