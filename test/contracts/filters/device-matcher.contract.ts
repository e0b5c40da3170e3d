/** What every device matcher promises beside the meaning of conditions, which `filter-semantics` has. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testMatcherOneDevice } from './device-matcher/one-device.contract.ts';
import { testMatcherPreview } from './device-matcher/preview.contract.ts';
import { testMatcherRelatedRows } from './device-matcher/related-rows.contract.ts';
import { testMatcherStream } from './device-matcher/stream.contract.ts';
import { testMatcherTenants } from './device-matcher/tenants.contract.ts';

export function testDeviceMatcher(backend: () => ContractBackend): void {
  testMatcherTenants(backend);
  testMatcherPreview(backend);
  testMatcherOneDevice(backend);
  testMatcherStream(backend);
  testMatcherRelatedRows(backend);
}
