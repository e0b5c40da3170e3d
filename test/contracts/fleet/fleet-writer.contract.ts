/** What every fleet writer promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testFleetFaults } from './fleet-writer/faults.contract.ts';
import { testMovedDevice } from './fleet-writer/moved-device.contract.ts';
import { testReplacedDevice } from './fleet-writer/replaced-device.contract.ts';
import { testFleetUpsert } from './fleet-writer/upsert.contract.ts';

export function testFleetWriter(backend: () => ContractBackend): void {
  testFleetUpsert(backend);
  testReplacedDevice(backend);
  testMovedDevice(backend);
  testFleetFaults(backend);
}
