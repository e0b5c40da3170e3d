import type { DeviceRow } from '#adapters/http/api-types.ts';

const NAMES = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const;

/** For example `Windows 11`; null where nothing is known. Versions often name the system themselves. */
export function osText({ osType, osVersion }: Pick<DeviceRow, 'osType' | 'osVersion'>): string | null {
  if (osType === null) return osVersion;
  const name = NAMES[osType];
  if (osVersion === null) return name;
  return /^\d/.test(osVersion) ? `${name} ${osVersion}` : osVersion;
}
