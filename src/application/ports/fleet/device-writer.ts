import type { DeviceMerge, MergeableDevice } from '#domain/device/merge-devices.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceId } from '#domain/ids.ts';

/** People's changes of devices, within a transaction and its scope (Contract: §10). */
export interface DeviceWriter {
  /**
   * Locks the device against other writers, reports and loads until the transaction ends. Null if unknown or out of
   * reach. Rejects if another transaction, such as a load, keeps a lock.
   */
  findForUpdate(id: DeviceId): Promise<ChangeableDevice | null>;
  /** Stores what people change, not what inventories report. Filters and searches see the change at commit. */
  replace(device: ChangeableDevice): Promise<void>;
  /**
   * Finds those of the devices that are in reach, each once, and locks them as `findForUpdate` does. Runs one
   * statement for any number of devices.
   */
  hold(ids: readonly DeviceId[]): Promise<readonly ChangeableDevice[]>;
  /** Stores tags, custom values and statuses of held devices in one statement. Display names stay unchanged. */
  replaceAll(devices: readonly ChangeableDevice[]): Promise<void>;
  /** Finds devices in reach with the facts that merging and deleting need, and locks them as `findForUpdate` does. */
  findAllForUpdate(ids: readonly DeviceId[]): Promise<readonly MergeableDevice[]>;
  /**
   * Stores a merge of two locked devices of one organization. The removed device's alerts move, and all keys of both
   * lead to the one that stays.
   */
  merge(merge: DeviceMerge): Promise<void>;
  /** Removes a locked device with everything that belongs to it. Its machine keys become free for another device. */
  remove(device: Pick<ChangeableDevice, 'id' | 'orgId'>): Promise<void>;
}
