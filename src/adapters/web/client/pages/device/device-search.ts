export const DEVICE_TABS = [
  'overview',
  'hardware',
  'network',
  'software',
  'patches',
  'alerts',
  'filters',
] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

export interface DeviceSearch {
  readonly tab?: DeviceTab;
}

export function parseDeviceSearch({ tab }: Record<string, unknown>): DeviceSearch {
  const known = DEVICE_TABS.find((one) => one === tab);
  return known === undefined || known === 'overview' ? {} : { tab: known };
}
