/** What every exporter of devices promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testExporterRows } from './device-exporter/rows.contract.ts';
import { testExporterStream } from './device-exporter/stream.contract.ts';

export function testDeviceExporter(backend: () => ContractBackend): void {
  testExporterRows(backend);
  testExporterStream(backend);
}
