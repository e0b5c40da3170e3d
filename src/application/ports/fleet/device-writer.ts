import type { DeviceMerge, MergeableDevice } from '#domain/device/merge-devices.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceId } from '#domain/ids.ts';

/** Changes of devices by people, within a transaction and its scope (Contract: §10). */
export interface DeviceWriter {
  /**
   * Locked against other writers, reports and loads until the transaction ends; null if unknown or out of reach.
   * Rejects if a lock, such as a load's, stays taken.
   */
  findForUpdate(id: DeviceId): Promise<ChangeableDevice | null>;
  /** Stores what people change; reported values stay. Filters and searches see the change at commit. */
  replace(device: ChangeableDevice): Promise<void>;
  /** Devices in reach, each once, locked as by `findForUpdate`. Any number is one statement. */
  hold(ids: readonly DeviceId[]): Promise<readonly ChangeableDevice[]>;
  /** Stores tags, custom values and statuses of held devices in one statement. Display names stay. */
  replaceAll(devices: readonly ChangeableDevice[]): Promise<void>;
  /** Devices in reach with the facts that merging and deleting need, locked as by `findForUpdate`. */
  findAllForUpdate(ids: readonly DeviceId[]): Promise<readonly MergeableDevice[]>;
  /**
   * Stores a merge of two locked devices of one organization. Alerts of the gone device move; all keys of both lead
   * to the device that stays.
   */
  merge(merge: DeviceMerge): Promise<void>;
  /** Removes a locked device and everything that belongs to it. Its machine keys become free. */
  remove(device: Pick<ChangeableDevice, 'id' | 'orgId'>): Promise<void>;
}
