import type { Device } from './device.ts';

/** UTF-16 code units of everything that filters can search: the cost of looking through a device. */
export function textLengthOf(device: Device): number {
  const { hardware, network, software, tags, custom } = device;
  let length = lengthOf(Object.values(device)) + lengthOf(Object.values(hardware)) + lengthOf(tags);
  for (const row of network) length += lengthOf(Object.values(row));
  for (const { name } of software) length += name.length;
  return length + lengthOf(custom.values());
}

function lengthOf(values: Iterable<unknown>): number {
  let length = 0;
  for (const value of values) if (typeof value === 'string') length += value.length;
  return length;
}
