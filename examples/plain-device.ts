/** A device with every member that filters can read. Any of them may be absent or null. */
import {
  compileFilter,
  type DeviceHardware,
  type DeviceMetrics,
  type InstalledSoftware,
  type NetworkInterface,
  type PlainDevice,
} from 'fleetsift/domain';

const device: Required<PlainDevice> = {
  id: '0194ec09-b0b9-799d-bc48-87e37daaeb58',
  orgId: '0195017c-5566-7712-90a2-25d514c6c998',
  siteId: '01950101-2b3c-7d4e-8f60-718293a4b5c6',
  hostname: 'till-7',
  displayName: 'Till at the door',
  status: 'online', // offline, maintenance, decommissioned, quarantined, updating, pending
  osType: 'windows', // macos, linux
  osVersion: 'Windows 11 Pro 24H2',
  osBuild: '26100.2605',
  architecture: 'x64', // x86, arm64
  agentVersion: '1.15',
  enrolledAt: '2025-03-01T09:00:00Z', // or epoch milliseconds, like the other dates
  lastSeenAt: Date.now(),
  lastSeenIp: '198.51.100.7',
  tags: ['till', 'vip'],
  deviceRole: 'workstation', // server, printer, router, switch, firewall, access_point, phone, iot, camera, nas, unknown
  lastUser: 'KESTREL\\rmoorcroft',
  isHeadless: false,
  uptimeSeconds: 86_400,
  watchdogStatus: 'connected', // failover, offline
  quarantinedAt: null,
  rebootRequired: false,
  hardware: {
    manufacturer: 'Dell Inc.',
    model: 'OptiPlex 7010',
    serialNumber: 'CN7X2Q3',
    cpuModel: 'Intel Core i5-13500T',
    gpuModel: 'Intel UHD Graphics 770',
    cpuCores: 14,
    ramTotalMb: 16_384, // mebibytes
    diskTotalGb: 512, // gibibytes
  } satisfies DeviceHardware,
  metrics: { cpuPercent: 12.5, ramPercent: 61, diskPercent: 93.5 } satisfies DeviceMetrics,
  network: [
    {
      ipAddress: '10.0.0.7',
      publicIp: '198.51.100.7',
      macAddress: '00:1b:44:11:3a:b7',
    } satisfies NetworkInterface,
  ],
  software: [{ name: 'Veeam Agent', version: '6.3.2' } satisfies InstalledSoftware],
  patches: [{ title: '2026-01 Cumulative Update', status: 'pending' }], // installed, failed
  pendingPatchCount: 1,
  criticalAlertCount: 0, // active ones
  custom: { tier: 'gold' }, // by key
};

const filter = compileFilter({
  operator: 'AND',
  conditions: [
    { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 },
    { field: 'software.installed', operator: 'contains', value: 'veeam' },
  ],
});
console.log(filter.ok && filter.value(device, Date.now())); // true
