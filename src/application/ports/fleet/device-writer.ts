/** Changes to devices by people, within a transaction whose scope decides what is in reach (Contract: §10). */
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceId } from '#domain/ids.ts';

/** What people change of devices; used within a transaction. */
export interface DeviceWriter {
  /**
   * The device, locked against other writers, reports and loads until the transaction ends; null if there is none or
   * it is out of reach. Rejects if somebody else, such as a load, keeps holding it.
   */
  findForUpdate(id: DeviceId): Promise<ChangeableDevice | null>;
  /**
   * Stores what people change of a device that `findForUpdate` gave. What the device reports stays as it is. Filters
   * and searches go by the change from the commit on.
   */
  replace(device: ChangeableDevice): Promise<void>;
}
