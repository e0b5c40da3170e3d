/** The patches of each device. A new record of a device replaces its patches. */
import type { Patch } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, PatchId } from '#domain/ids.ts';

export class PatchTable {
  readonly #patches = new Map<DeviceId, readonly Patch[]>();
  readonly #deviceIds = new Map<PatchId, DeviceId>();

  deviceOf(id: PatchId): DeviceId | undefined {
    return this.#deviceIds.get(id);
  }

  of(deviceId: DeviceId): readonly Patch[] {
    return this.#patches.get(deviceId) ?? [];
  }

  replace(deviceId: DeviceId, patches: readonly Patch[]): void {
    for (const { id } of this.#patches.get(deviceId) ?? []) {
      if (id !== null && this.#deviceIds.get(id) === deviceId) this.#deviceIds.delete(id);
    }
    this.#patches.set(
      deviceId,
      patches.map((patch) => ({ ...patch })),
    );
    for (const { id } of patches) if (id !== null) this.#deviceIds.set(id, deviceId);
  }
}
