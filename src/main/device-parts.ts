/** Listing, exporting, searching and counting devices. */
import type { Factories } from './ingredients.ts';

export const DEVICE_PARTS: Factories<'devices' | 'exportDevices' | 'search' | 'fleet'> = {
  devices: async (from, { config }) => {
    const { makeDeviceUseCases } = await import('#application/devices/device-use-cases.ts');
    const { makeCursorSigner } = await import('#adapters/auth/cursor-signer.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    const cursors = makeCursorSigner(backend.cursorKey);
    return makeDeviceUseCases({ ...backend, ...deps, cursors, filterTimeoutMs: config.filterTimeoutMs });
  },
  exportDevices: async (from) => {
    const { makeDeviceExport } = await import('#application/devices/make-device-export.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'log');
    return makeDeviceExport({ ...backend, ...deps });
  },
  search: async (from) => {
    const { makeSearchEverything } = await import('#application/search/search-everything.ts');
    return makeSearchEverything((await from('backend')).backend);
  },
  fleet: async (from) => {
    const { makeFleetUseCases } = await import('#application/fleet/fleet-use-cases.ts');
    const { backend, clock } = await from('backend', 'clock');
    return makeFleetUseCases({ ...backend, clock });
  },
};
