import type { DeviceFacts } from '#domain/device/device.ts';
import type { EpochMs } from '#domain/time.ts';

/** Whether a device matches when a filter, or one criterion of it, is evaluated at `at`. */
export type DevicePredicate = (device: DeviceFacts, at: EpochMs) => boolean;
